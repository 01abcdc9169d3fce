import type { FormsMessages } from './languages.ts';

/** Japanese for sign-up, recovery, and the pages of emailed links. */
export const messages: FormsMessages = {
  'signUp.title': 'アカウントを作成',
  'signUp.titleTo': '{app}のアカウントを作成',
  'signUp.subtitle': '1分もかかりません。',
  'signUp.submit': 'アカウントを作成',
  'signUp.haveAccount': 'アカウントをお持ちの場合',

  'verify.title': 'メールアドレスの確認',
  'verify.subtitle': '{destination}に送信したコードを入力してください。',
  'verify.submit': '確認',
  'verify.doneSubtitle': 'サインインできます。',

  'forgot.title': 'パスワードをお忘れですか？',
  'forgot.subtitle': 'メールアドレスまたはユーザー名を入力すると、再設定用のコードをお送りします。',
  'forgot.submit': 'コードを送信',
  'forgot.back': 'サインインに戻る',

  'reset.title': '新しいパスワードを設定',
  'reset.subtitle': '{username}のアカウントがある場合、コードを送信しました。',
  'reset.submit': '新しいパスワードを設定',
  'reset.doneSubtitle': '新しいパスワードでサインインしてください。',
  'reset.tooManyCodes': 'コードの誤りが多すぎます。新しいコードをリクエストしてください。',

  'notMe.title': '心当たりがありませんか？',
  'notMe.question':
    'アカウントの変更をお知らせするメッセージをお送りしました。ご自身の操作でなければ、他の人がアクセスしている可能性があります。',
  'notMe.effect': 'すべての端末でサインアウトします。そのあと、新しいパスワードを設定してください。',
  'notMe.submit': '私ではありません',
  'notMe.done': 'すべての端末でサインアウトしました',
  'notMe.doneSubtitle': '他の人がサインインできないよう、今すぐ新しいパスワードを設定してください。',

  'confirm.question': 'どなたかがあなたのメールアドレスで登録しました。',
  'confirm.effect':
    'ご自身で登録した場合は、アドレスを確認してください。そうでなければ、このページを閉じてください。何も変わりません。',
  'confirm.submit': 'アドレスを確認する',
  'claim.title': 'パスワードを入力',
  'claim.subtitle': 'このアカウントがご本人のものであることを確認するため、登録時のパスワードを入力してください。',
  'claim.useNew': '登録していない、またはパスワードを忘れた',
  'claim.newEffect': '確認済みのアドレス以外の、登録時に入力された情報はすべて削除されます。',
  'claim.useOld': '登録時のパスワードを使う',

  'link.used': 'このリンクは期限切れか、使用済みです。',
  'link.missing': 'リンクが不完全です。メッセージからもう一度開いてください。',
};
