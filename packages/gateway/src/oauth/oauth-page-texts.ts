import { listLanguages, negotiateLanguage } from '../pages/negotiate-language.ts';
import { presentSessionUser } from '../web/session-user.ts';
import type { WebSession } from '../web-sessions/web-session.ts';

/** The texts of the OAuth pages. Placeholders such as `{client}` and `{username}` are replaced. */
interface PageTexts {
  readonly asks: string;
  readonly goOn: string;
  readonly signedInAs: string;
  readonly asksFor: string;
  readonly allow: string;
  readonly continue: string;
  readonly other: string;
  readonly cancel: string;
  readonly signOutQuestion: string;
  readonly signOut: string;
  readonly signedOut: string;
  readonly close: string;
  readonly start: string;
  readonly returning: string;
  readonly returnByHand: string;
  readonly broken: string;
  readonly goBack: string;
  readonly code: string;
  readonly deviceTitle: string;
  readonly deviceEnter: string;
  readonly deviceCode: string;
  readonly deviceWrong: string;
  readonly deviceTooMany: string;
  readonly deviceAsks: string;
  readonly deviceFrom: string;
  readonly deviceWarning: string;
  readonly deviceDone: string;
  readonly deviceDenied: string;
  /** Descriptions of the data that an application gets, by scope name. Other scopes are shown by name. */
  readonly scopes: Readonly<Record<string, string>>;
}

const TEXTS = {
  en: {
    asks: '{client} wants access to your account',
    goOn: 'Continue to {client}?',
    signedInAs: 'You’re signed in as {username}.',
    asksFor: '{client} requests: {scopes}.',
    allow: 'Allow',
    continue: 'Continue',
    other: 'Use another account',
    cancel: 'Cancel',
    signOutQuestion: 'Sign out?',
    signOut: 'Sign out',
    signedOut: 'You’re signed out',
    close: 'You can close this page.',
    start: 'Go to the start page',
    returning: 'Returning to the application',
    returnByHand: 'If nothing happens, select Continue.',
    broken: 'This link doesn’t work',
    goBack: 'The application sent an invalid request. Go back to it and start again.',
    code: 'Code: {code}',
    deviceTitle: 'Connect a device',
    deviceEnter: 'Enter the code that your device shows.',
    deviceCode: 'Code',
    deviceWrong: 'That code isn’t right or has expired. Check it and try again.',
    deviceTooMany: 'Too many attempts. Wait a minute and try again.',
    deviceAsks: '{client} wants to sign in as you on a device',
    deviceFrom: 'The request came from {address} with the code {code}.',
    deviceWarning: 'Allow it only if you started this sign-in and your device shows this code.',
    deviceDone: 'Your device is signed in',
    deviceDenied: 'The device was not signed in',
    scopes: {
      openid: 'your user ID',
      email: 'your email address',
      phone: 'your phone number',
      profile: 'your profile',
      'aws.cognito.signin.user.admin': 'management of your account',
    },
  },
  de: {
    asks: '{client} möchte auf Ihr Konto zugreifen',
    goOn: 'Weiter zu {client}?',
    signedInAs: 'Sie sind angemeldet als {username}.',
    asksFor: '{client} fordert an: {scopes}.',
    allow: 'Erlauben',
    continue: 'Weiter',
    other: 'Anderes Konto verwenden',
    cancel: 'Abbrechen',
    signOutQuestion: 'Abmelden?',
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet',
    close: 'Sie können diese Seite schließen.',
    start: 'Zur Startseite',
    returning: 'Zurück zur Anwendung',
    returnByHand: 'Wenn nichts geschieht, wählen Sie „Weiter“.',
    broken: 'Dieser Link funktioniert nicht',
    goBack: 'Die Anwendung hat eine ungültige Anfrage gesendet. Gehen Sie zu ihr zurück und beginnen Sie von vorn.',
    code: 'Code: {code}',
    deviceTitle: 'Gerät verbinden',
    deviceEnter: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    deviceCode: 'Code',
    deviceWrong: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn und versuchen Sie es erneut.',
    deviceTooMany: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    deviceAsks: '{client} möchte sich auf einem Gerät als Sie anmelden',
    deviceFrom: 'Die Anfrage kam von {address} mit dem Code {code}.',
    deviceWarning:
      'Erlauben Sie das nur, wenn Sie diese Anmeldung selbst begonnen haben und Ihr Gerät diesen Code anzeigt.',
    deviceDone: 'Ihr Gerät ist angemeldet',
    deviceDenied: 'Das Gerät wurde nicht angemeldet',
    scopes: {
      openid: 'Ihre Benutzer-ID',
      email: 'Ihre E-Mail-Adresse',
      phone: 'Ihre Telefonnummer',
      profile: 'Ihr Profil',
      'aws.cognito.signin.user.admin': 'die Verwaltung Ihres Kontos',
    },
  },
  es: {
    asks: '{client} quiere acceder a su cuenta',
    goOn: '¿Continuar a {client}?',
    signedInAs: 'Ha iniciado sesión como {username}.',
    asksFor: '{client} solicita: {scopes}.',
    allow: 'Permitir',
    continue: 'Continuar',
    other: 'Usar otra cuenta',
    cancel: 'Cancelar',
    signOutQuestion: '¿Cerrar sesión?',
    signOut: 'Cerrar sesión',
    signedOut: 'Ha cerrado la sesión',
    close: 'Puede cerrar esta página.',
    start: 'Ir a la página de inicio',
    returning: 'Volviendo a la aplicación',
    returnByHand: 'Si no ocurre nada, seleccione Continuar.',
    broken: 'Este enlace no funciona',
    goBack: 'La aplicación envió una solicitud no válida. Vuelva a ella y empiece de nuevo.',
    code: 'Código: {code}',
    deviceTitle: 'Conectar un dispositivo',
    deviceEnter: 'Introduzca el código que muestra su dispositivo.',
    deviceCode: 'Código',
    deviceWrong: 'Ese código no es correcto o ha caducado. Compruébelo e inténtelo de nuevo.',
    deviceTooMany: 'Demasiados intentos. Espere un minuto e inténtelo de nuevo.',
    deviceAsks: '{client} quiere iniciar sesión como usted en un dispositivo',
    deviceFrom: 'La solicitud llegó desde {address} con el código {code}.',
    deviceWarning: 'Permítalo solo si inició usted esta sesión y su dispositivo muestra este código.',
    deviceDone: 'Su dispositivo ha iniciado sesión',
    deviceDenied: 'El dispositivo no ha iniciado sesión',
    scopes: {
      openid: 'su ID de usuario',
      email: 'su correo electrónico',
      phone: 'su número de teléfono',
      profile: 'su perfil',
      'aws.cognito.signin.user.admin': 'la gestión de su cuenta',
    },
  },
  fr: {
    asks: '{client} demande l’accès à votre compte',
    goOn: 'Continuer vers {client} ?',
    signedInAs: 'Vous êtes connecté en tant que {username}.',
    asksFor: '{client} demande : {scopes}.',
    allow: 'Autoriser',
    continue: 'Continuer',
    other: 'Utiliser un autre compte',
    cancel: 'Annuler',
    signOutQuestion: 'Se déconnecter ?',
    signOut: 'Se déconnecter',
    signedOut: 'Vous êtes déconnecté',
    close: 'Vous pouvez fermer cette page.',
    start: 'Aller à la page d’accueil',
    returning: 'Retour à l’application',
    returnByHand: 'Si rien ne se passe, sélectionnez Continuer.',
    broken: 'Ce lien ne fonctionne pas',
    goBack: 'L’application a envoyé une demande non valide. Retournez-y et recommencez.',
    code: 'Code : {code}',
    deviceTitle: 'Connecter un appareil',
    deviceEnter: 'Saisissez le code affiché par votre appareil.',
    deviceCode: 'Code',
    deviceWrong: 'Ce code est incorrect ou a expiré. Vérifiez-le et réessayez.',
    deviceTooMany: 'Trop de tentatives. Attendez une minute et réessayez.',
    deviceAsks: '{client} veut se connecter en votre nom sur un appareil',
    deviceFrom: 'La demande vient de {address} avec le code {code}.',
    deviceWarning: 'Autorisez-la seulement si vous avez lancé cette connexion et si votre appareil affiche ce code.',
    deviceDone: 'Votre appareil est connecté',
    deviceDenied: 'L’appareil n’a pas été connecté',
    scopes: {
      openid: 'votre identifiant',
      email: 'votre adresse e-mail',
      phone: 'votre numéro de téléphone',
      profile: 'votre profil',
      'aws.cognito.signin.user.admin': 'la gestion de votre compte',
    },
  },
  ja: {
    asks: '{client}がアカウントへのアクセスを求めています',
    goOn: '{client}に進みますか？',
    signedInAs: '{username}としてサインインしています。',
    asksFor: '{client}が求めている権限：{scopes}',
    allow: '許可する',
    continue: '続ける',
    other: '別のアカウントを使う',
    cancel: 'キャンセル',
    signOutQuestion: 'サインアウトしますか？',
    signOut: 'サインアウト',
    signedOut: 'サインアウトしました',
    close: 'このページを閉じてかまいません。',
    start: 'トップページへ',
    returning: 'アプリケーションに戻ります',
    returnByHand: '画面が変わらない場合は「続ける」を選択してください。',
    broken: 'このリンクは使えません',
    goBack:
      'アプリケーションから無効なリクエストが送信されました。アプリケーションに戻り、最初からやり直してください。',
    code: 'コード：{code}',
    deviceTitle: 'デバイスを接続',
    deviceEnter: 'デバイスに表示されているコードを入力してください。',
    deviceCode: 'コード',
    deviceWrong: 'コードが正しくないか、有効期限が切れています。確認してもう一度お試しください。',
    deviceTooMany: '試行回数が多すぎます。1分待ってからもう一度お試しください。',
    deviceAsks: '{client}がデバイスであなたとしてサインインしようとしています',
    deviceFrom: 'リクエスト元のアドレスは{address}、コードは{code}です。',
    deviceWarning: 'ご自身で開始し、デバイスに同じコードが表示されている場合にのみ許可してください。',
    deviceDone: 'デバイスにサインインしました',
    deviceDenied: 'デバイスはサインインされませんでした',
    scopes: {
      openid: 'ユーザー ID',
      email: 'メールアドレス',
      phone: '電話番号',
      profile: 'プロフィール',
      'aws.cognito.signin.user.admin': 'アカウントの管理',
    },
  },
  ar: {
    asks: 'يريد {client} الوصول إلى حسابك',
    goOn: 'هل تريد المتابعة إلى {client}؟',
    signedInAs: 'سجّلت الدخول باسم {username}.',
    asksFor: 'يطلب {client}: {scopes}.',
    allow: 'السماح',
    continue: 'متابعة',
    other: 'استخدام حساب آخر',
    cancel: 'إلغاء',
    signOutQuestion: 'هل تريد تسجيل الخروج؟',
    signOut: 'تسجيل الخروج',
    signedOut: 'تم تسجيل خروجك',
    close: 'يمكنك إغلاق هذه الصفحة.',
    start: 'إلى صفحة البداية',
    returning: 'جارٍ العودة إلى التطبيق',
    returnByHand: 'إذا لم يحدث شيء، فاختر «متابعة».',
    broken: 'هذا الرابط لا يعمل',
    goBack: 'أرسل التطبيق طلبًا غير صالح. ارجع إليه وابدأ من جديد.',
    code: 'الرمز: {code}',
    deviceTitle: 'ربط جهاز',
    deviceEnter: 'أدخل الرمز الذي يعرضه جهازك.',
    deviceCode: 'الرمز',
    deviceWrong: 'هذا الرمز غير صحيح أو انتهت صلاحيته. تحقق منه وحاول مرة أخرى.',
    deviceTooMany: 'محاولات كثيرة جدًا. انتظر دقيقة وحاول مرة أخرى.',
    deviceAsks: 'يريد {client} تسجيل الدخول باسمك على جهاز',
    deviceFrom: 'جاء الطلب من {address} بالرمز {code}.',
    deviceWarning: 'اسمح بذلك فقط إذا بدأت تسجيل الدخول هذا بنفسك وكان جهازك يعرض هذا الرمز.',
    deviceDone: 'تم تسجيل دخول جهازك',
    deviceDenied: 'لم يتم تسجيل دخول الجهاز',
    scopes: {
      openid: 'معرّف المستخدم',
      email: 'بريدك الإلكتروني',
      phone: 'رقم هاتفك',
      profile: 'ملفك الشخصي',
      'aws.cognito.signin.user.admin': 'إدارة حسابك',
    },
  },
} as const satisfies Readonly<Record<string, PageTexts>>;

/** Returns the name by which users know their account: they may never have seen the username. */
export const readDisplayName = (session: WebSession): string =>
  presentSessionUser(session).email ?? session.caller.username;

/** The language of a page, and its texts. */
export interface LocalizedTexts {
  /** BCP 47. */
  readonly language: keyof typeof TEXTS;
  format(text: Exclude<keyof PageTexts, 'scopes'>, values?: Readonly<Record<string, string>>): string;
  /** Lists what a request of an application asks for. @param scope names with spaces between them (RFC 6749 §3.3) */
  listScopes(scope: string): string;
}

/** By BCP 47 tag. */
export const PAGE_LANGUAGES = listLanguages(TEXTS);

/** Returns the texts in the browser's preferred language. */
export function selectPageTexts({
  'accept-language': wanted,
}: Readonly<Record<string, string | undefined>>): LocalizedTexts {
  const language = negotiateLanguage(wanted, PAGE_LANGUAGES);
  return {
    language,
    format: (text, values = {}) =>
      TEXTS[language][text].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    listScopes: (scope) => {
      const { scopes }: PageTexts = TEXTS[language];
      const names = scope.split(' ').map((name) => (Object.hasOwn(scopes, name) ? (scopes[name] ?? name) : name));
      return new Intl.ListFormat(language).format(names);
    },
  };
}
