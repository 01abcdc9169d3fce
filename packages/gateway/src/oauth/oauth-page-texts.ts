import { listLanguages, negotiateLanguage } from '../pages/negotiate-language.ts';
import { presentSessionUser } from '../web/session-user.ts';
import type { WebSession } from '../web-sessions/web-session.ts';

/** What the pages of OAuth say, as text; `{client}`, `{username}`, `{scopes}` and so on are filled in. */
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
}

const TEXTS = {
  en: {
    asks: '{client} asks for access',
    goOn: 'Go on to {client}?',
    signedInAs: 'You are signed in as {username}.',
    asksFor: '{client} asks for: {scopes}.',
    allow: 'Allow',
    continue: 'Continue',
    other: 'Use another account',
    cancel: 'Cancel',
    signOutQuestion: 'Sign out?',
    signOut: 'Sign out',
    signedOut: 'You are signed out',
    close: 'You can close this page.',
    returning: 'Returning to the application',
    returnByHand: 'If nothing happens, select Continue.',
    broken: 'This address does not work',
    goBack: 'The application that led you here asked for something that does not work. Go back to it, and begin again.',
    code: 'Code: {code}',
    deviceTitle: 'Connect a device',
    deviceEnter: 'Enter the code that your device shows.',
    deviceCode: 'Code',
    deviceWrong: "That code isn't right or has expired. Check it and try again.",
    deviceTooMany: 'Too many attempts. Wait a minute and try again.',
    deviceAsks: '{client} wants to sign in as you on a device',
    deviceFrom: 'The request came from the address {address}, with the code {code}.',
    deviceWarning: 'Allow it only if you started it yourself and your device shows this code.',
    deviceDone: 'Your device is signed in',
    deviceDenied: 'The device was not signed in',
  },
  de: {
    asks: '{client} bittet um Zugriff',
    goOn: 'Weiter zu {client}?',
    signedInAs: 'Sie sind angemeldet als {username}.',
    asksFor: '{client} bittet um: {scopes}.',
    allow: 'Erlauben',
    continue: 'Weiter',
    other: 'Anderes Konto verwenden',
    cancel: 'Abbrechen',
    signOutQuestion: 'Abmelden?',
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet',
    close: 'Sie können diese Seite schließen.',
    returning: 'Zurück zur Anwendung',
    returnByHand: 'Wenn nichts geschieht, wählen Sie „Weiter“.',
    broken: 'Diese Adresse funktioniert nicht',
    goBack:
      'Die Anwendung, von der Sie kommen, hat etwas verlangt, das nicht geht. Gehen Sie zu ihr zurück und beginnen Sie noch einmal.',
    code: 'Code: {code}',
    deviceTitle: 'Gerät verbinden',
    deviceEnter: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    deviceCode: 'Code',
    deviceWrong: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn und versuchen Sie es erneut.',
    deviceTooMany: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    deviceAsks: '{client} möchte sich auf einem Gerät als Sie anmelden',
    deviceFrom: 'Die Anfrage kam von der Adresse {address}, mit dem Code {code}.',
    deviceWarning: 'Erlauben Sie das nur, wenn Sie es selbst begonnen haben und Ihr Gerät diesen Code anzeigt.',
    deviceDone: 'Ihr Gerät ist angemeldet',
    deviceDenied: 'Das Gerät wurde nicht angemeldet',
  },
  es: {
    asks: '{client} pide acceso',
    goOn: '¿Continuar a {client}?',
    signedInAs: 'Ha iniciado sesión como {username}.',
    asksFor: '{client} pide: {scopes}.',
    allow: 'Permitir',
    continue: 'Continuar',
    other: 'Usar otra cuenta',
    cancel: 'Cancelar',
    signOutQuestion: '¿Cerrar sesión?',
    signOut: 'Cerrar sesión',
    signedOut: 'Ha cerrado la sesión',
    close: 'Puede cerrar esta página.',
    returning: 'Volviendo a la aplicación',
    returnByHand: 'Si no ocurre nada, seleccione Continuar.',
    broken: 'Esta dirección no funciona',
    goBack: 'La aplicación de la que viene ha pedido algo que no es posible. Vuelva a ella y empiece de nuevo.',
    code: 'Código: {code}',
    deviceTitle: 'Conectar un dispositivo',
    deviceEnter: 'Introduzca el código que muestra su dispositivo.',
    deviceCode: 'Código',
    deviceWrong: 'Ese código no es correcto o ha caducado. Compruébelo e inténtelo de nuevo.',
    deviceTooMany: 'Demasiados intentos. Espere un minuto e inténtelo de nuevo.',
    deviceAsks: '{client} quiere iniciar sesión como usted en un dispositivo',
    deviceFrom: 'La solicitud llegó desde la dirección {address}, con el código {code}.',
    deviceWarning: 'Permítalo solo si la inició usted y su dispositivo muestra este código.',
    deviceDone: 'Su dispositivo ha iniciado sesión',
    deviceDenied: 'El dispositivo no ha iniciado sesión',
  },
  fr: {
    asks: '{client} demande un accès',
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
    returning: 'Retour à l’application',
    returnByHand: 'Si rien ne se passe, sélectionnez Continuer.',
    broken: 'Cette adresse ne fonctionne pas',
    goBack: 'L’application d’où vous venez a demandé quelque chose d’impossible. Retournez-y et recommencez.',
    code: 'Code : {code}',
    deviceTitle: 'Connecter un appareil',
    deviceEnter: 'Saisissez le code affiché par votre appareil.',
    deviceCode: 'Code',
    deviceWrong: 'Ce code est incorrect ou a expiré. Vérifiez-le et réessayez.',
    deviceTooMany: 'Trop de tentatives. Attendez une minute et réessayez.',
    deviceAsks: '{client} veut se connecter en votre nom sur un appareil',
    deviceFrom: 'La demande vient de l’adresse {address}, avec le code {code}.',
    deviceWarning: 'Autorisez-la seulement si vous l’avez lancée vous-même et si votre appareil affiche ce code.',
    deviceDone: 'Votre appareil est connecté',
    deviceDenied: 'L’appareil n’a pas été connecté',
  },
  ja: {
    asks: '{client}がアクセスを求めています',
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
    returning: 'アプリケーションに戻ります',
    returnByHand: '画面が変わらない場合は「続ける」を選択してください。',
    broken: 'このアドレスは使えません',
    goBack: 'アプリケーションからの要求を処理できません。アプリケーションに戻り、最初からやり直してください。',
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
  },
  ar: {
    asks: 'يطلب {client} الوصول',
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
    returning: 'جارٍ العودة إلى التطبيق',
    returnByHand: 'إذا لم يحدث شيء، فاختر «متابعة».',
    broken: 'هذا العنوان لا يعمل',
    goBack: 'طلب التطبيق الذي جئت منه شيئًا غير ممكن. ارجع إليه وابدأ من جديد.',
    code: 'الرمز: {code}',
    deviceTitle: 'ربط جهاز',
    deviceEnter: 'أدخل الرمز الذي يعرضه جهازك.',
    deviceCode: 'الرمز',
    deviceWrong: 'هذا الرمز غير صحيح أو انتهت صلاحيته. تحقق منه وحاول مرة أخرى.',
    deviceTooMany: 'محاولات كثيرة جدًا. انتظر دقيقة وحاول مرة أخرى.',
    deviceAsks: 'يريد {client} تسجيل الدخول باسمك على جهاز',
    deviceFrom: 'جاء الطلب من العنوان {address} بالرمز {code}.',
    deviceWarning: 'اسمح بذلك فقط إذا بدأته بنفسك وكان جهازك يعرض هذا الرمز.',
    deviceDone: 'تم تسجيل دخول جهازك',
    deviceDenied: 'لم يتم تسجيل دخول الجهاز',
  },
} as const satisfies Readonly<Record<string, PageTexts>>;

/** What users know their account by: the user name may be one that they never saw. */
export const readDisplayName = (session: WebSession): string =>
  presentSessionUser(session).email ?? session.caller.username;

/** The language of a page, and its texts. */
export interface LocalizedTexts {
  /** BCP 47. */
  readonly language: keyof typeof TEXTS;
  format(text: keyof PageTexts, values?: Readonly<Record<string, string>>): string;
}

/** By BCP 47 tag. */
export const PAGE_LANGUAGES = listLanguages(TEXTS);

/** The texts in the language that a browser wants most. */
export function selectPageTexts({
  'accept-language': wanted,
}: Readonly<Record<string, string | undefined>>): LocalizedTexts {
  const language = negotiateLanguage(wanted, PAGE_LANGUAGES);
  return {
    language,
    format: (text, values = {}) =>
      TEXTS[language][text].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  };
}
