/**
 * Schemes that a browser or an operating system handles itself, or passes to a handler that does not belong to the pool's owner. It
 * includes Chromium's and Firefox's deny lists for links to other programs.
 * @see https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/external_protocol/external_protocol_handler.cc
 * @see https://html.spec.whatwg.org/multipage/system-state.html#safelisted-scheme
 */
const SYSTEM_SCHEMES: ReadonlySet<string> = new Set([
  // Content or code within the address, or an address within the address.
  ...['about', 'blob', 'cid', 'data', 'feed', 'feeds', 'filesystem', 'jar', 'javascript', 'livescript', 'mhtml', 'mid'],
  ...['mocha', 'pcast', 'vbs', 'vbscript', 'view-source', 'wyciwyg'],
  // Parts of a browser.
  ...['brave', 'chrome', 'edge', 'ie.http', 'iehistory', 'ierss', 'opera', 'resource', 'vivaldi'],
  // An operating system's files, settings, help and stores.
  ...[
    'android-app',
    'app-prefs',
    'applescript',
    'content',
    'disk',
    'disks',
    'facetime',
    'facetime-audio',
    'file',
    'hcp',
  ],
  ...[
    'help',
    'intent',
    'itms',
    'itms-apps',
    'itms-services',
    'jnlp',
    'jnlps',
    'market',
    'microsoft-edge',
    'mk',
    'prefs',
  ],
  ...['res', 'shell', 'shortcuts', 'vnd.ms.radio', 'windowsdefender', 'x-help-action', 'x-help-script'],
  // Network protocols, and schemes that registerProtocolHandler() accepts.
  ...[
    'afp',
    'bitcoin',
    'callto',
    'cifs',
    'dict',
    'finger',
    'ftp',
    'ftps',
    'geo',
    'gopher',
    'im',
    'imap',
    'irc',
    'ircs',
  ],
  ...[
    'ldap',
    'ldaps',
    'magnet',
    'mailto',
    'matrix',
    'mms',
    'mmsto',
    'news',
    'nfs',
    'nntp',
    'openpgp4fpr',
    'pop',
    'rlogin',
  ],
  ...[
    'rtsp',
    'sftp',
    'sip',
    'sips',
    'smb',
    'sms',
    'smsto',
    'snews',
    'ssh',
    'tel',
    'telnet',
    'tftp',
    'tn3270',
    'urn',
    'vnc',
  ],
  ...['webcal', 'webcals', 'ws', 'wss', 'wtai', 'xmpp'],
]);

/** Families of such schemes. For example, each new Windows program adds another `ms-…`. */
const SYSTEM_SCHEME_PREFIXES: readonly string[] = [
  ...['apple-', 'chrome-', 'edge-', 'microsoft-edge-', 'moz-', 'ms-', 'safari-', 'search', 'x-apple', 'web+'],
];

/**
 * Whether a browser or an operating system handles a scheme, so that it cannot belong to an application.
 * @param protocol in the URL standard's form: lowercase, with the colon
 */
export function isSystemUriScheme(protocol: string): boolean {
  const scheme = protocol.slice(0, -1);
  return SYSTEM_SCHEMES.has(scheme) || SYSTEM_SCHEME_PREFIXES.some((family) => scheme.startsWith(family));
}
