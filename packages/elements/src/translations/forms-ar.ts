import type { FormsMessages } from './languages.ts';

/** Arabic for sign-up, recovery, and the pages of emailed links. */
export const messages: FormsMessages = {
  'signUp.title': 'أنشئ حسابك',
  'signUp.titleTo': 'أنشئ حسابك على {app}',
  'signUp.subtitle': 'يستغرق ذلك أقل من دقيقة.',
  'signUp.submit': 'إنشاء الحساب',
  'signUp.haveAccount': 'لديك حساب؟',

  'verify.title': 'أكّد بريدك الإلكتروني',
  'verify.subtitle': 'أدخل الرمز الذي أرسلناه إلى {destination}.',
  'verify.submit': 'تأكيد',
  'verify.doneSubtitle': 'يمكنك الآن تسجيل الدخول.',

  'forgot.title': 'نسيت كلمة المرور؟',
  'forgot.subtitle': 'أدخل بريدك الإلكتروني أو اسم المستخدم وسنرسل إليك رمزًا لإعادة التعيين.',
  'forgot.submit': 'إرسال الرمز',
  'forgot.back': 'العودة إلى تسجيل الدخول',

  'reset.title': 'عيّن كلمة مرور جديدة',
  'reset.subtitle': 'إذا كان لدى {username} حساب، فقد أرسلنا رمزًا.',
  'reset.submit': 'تعيين كلمة المرور',
  'reset.doneSubtitle': 'سجّل الدخول بكلمة المرور الجديدة.',
  'reset.tooManyCodes': 'رموز خاطئة كثيرة جدًا. اطلب رمزًا جديدًا.',

  'notMe.title': 'ألم تكن أنت؟',
  'notMe.question': 'أرسلنا إليك رسالة عن تغيير في حسابك. إذا لم تُجره أنت، فقد يكون لدى شخص آخر إمكانية الوصول إليه.',
  'notMe.effect': 'سيتم تسجيل الخروج من كل الأجهزة، ثم تعيّن كلمة مرور جديدة.',
  'notMe.submit': 'لم أكن أنا',
  'notMe.done': 'تم تسجيل الخروج من كل الأجهزة',
  'notMe.doneSubtitle': 'عيّن الآن كلمة مرور جديدة حتى لا يتمكن أحد غيرك من تسجيل الدخول.',

  'confirm.question': 'سجّل شخص ما حسابًا بعنوان بريدك الإلكتروني.',
  'confirm.effect': 'إذا كنت أنت، فأكّد عنوانك. وإذا لم تكن، فأغلق هذه الصفحة ولن يتغير شيء.',
  'confirm.submit': 'تأكيد عنواني',
  'claim.title': 'أدخل كلمة المرور',
  'claim.subtitle': 'أدخل كلمة المرور التي اخترتها عند التسجيل لتأكيد أن هذا الحساب لك.',
  'claim.useNew': 'لم أسجّل، أو نسيت كلمة المرور',
  'claim.newEffect': 'سيؤدي ذلك إلى إزالة كل ما أُدخل عند التسجيل باستثناء عنوانك المؤكَّد.',
  'claim.useOld': 'استخدام كلمة المرور من التسجيل',

  'link.used': 'انتهت صلاحية هذا الرابط أو سبق استخدامه.',
  'link.missing': 'هذا الرابط غير مكتمل. افتحه مرة أخرى من الرسالة.',
};
