import { listLanguages, negotiateLanguage } from '../pages/negotiate-language.ts';
import { presentSessionUser } from '../web/session-user.ts';
import type { WebSession } from '../web-sessions/web-session.ts';

/** What the pages of OAuth say, as text; `{client}`, `{username}` and `{scopes}` are filled in. */
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
