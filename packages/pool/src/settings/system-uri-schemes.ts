/**
 * Schemes that a browser or an operating system handles itself, or hands to a handler that no application of the pool's owner wrote.
 * Chromium's and Firefox's own deny lists for links to other programs are in it.
 * @see https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/external_protocol/external_protocol_handler.cc
 * @see https://html.spec.whatwg.org/multipage/system-state.html#safelisted-scheme
 */
const SYSTEM_SCHEMES: ReadonlySet<string> = new Set([
  // Content or code inside the address, or an address inside the address.
  ...['about', 'blob', 'cid', 'data', 'feed', 'feeds', 'filesystem', 'jar', 'javascript', 'livescript', 'mhtml', 'mid'],
  ...['mocha', 'pcast', 'vbs', 'vbscript', 'view-source', 'wyciwyg'],
  // Parts of a browser.
  ...['brave', 'chrome', 'edge', 'ie.http', 'iehistory', 'ierss', 'opera', 'resource', 'vivaldi'],
  // Files, settings, help and stores of an operating system.
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
  // Protocols of the network, and what registerProtocolHandler() may take.
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

/** Families of such schemes: each new program of Windows, for instance, brings one more `ms-…`. */
const SYSTEM_SCHEME_PREFIXES: readonly string[] = [
  ...['apple-', 'chrome-', 'edge-', 'microsoft-edge-', 'moz-', 'ms-', 'safari-', 'search', 'x-apple', 'web+'],
];

/**
 * Whether a browser or an operating system handles a scheme, so that it cannot be an application's own.
 * @param protocol as the URL standard writes it: in lower case, with the colon
 */
export function isSystemUriScheme(protocol: string): boolean {
  const scheme = protocol.slice(0, -1);
  return SYSTEM_SCHEMES.has(scheme) || SYSTEM_SCHEME_PREFIXES.some((family) => scheme.startsWith(family));
}
