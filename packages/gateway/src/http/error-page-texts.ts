/** What the page of an error says, as text of HTML, by language and by what went wrong. `{opened}` and `{baseUrl}` are filled in. */
export const ERROR_PAGE_TEXTS = {
  en: {
    missing: ['There is no such page', 'The address may have been mistyped, or the link is old.'],
    limited: ['Too many requests', 'Please wait a moment, then load this page again.'],
    refused: ['That is not possible', 'The page cannot be shown in this way. Please begin again.'],
    failed: ['Something went wrong', 'It was not your doing. Please try again in a moment.'],
    address: [
      'Wrong address',
      'You opened this page at {opened}, but the BASE_URL of this service is {baseUrl}. Open that address instead. If you run this service and its address is wrong, change BASE_URL.',
    ],
    cookies: [
      'Cookies did not arrive',
      'Your browser did not send this site’s cookies. Allow cookies for this site, then start again. Over http, browsers keep these cookies only on localhost.',
    ],
    start: 'Go to the start page',
    request: 'If you ask for help, name this request:',
  },
  de: {
    missing: ['Diese Seite gibt es nicht', 'Vielleicht ist die Adresse vertippt, oder der Link ist alt.'],
    limited: ['Zu viele Anfragen', 'Bitte warten Sie einen Moment und laden Sie die Seite dann neu.'],
    refused: ['Das ist nicht möglich', 'Die Seite kann so nicht gezeigt werden. Bitte beginnen Sie noch einmal.'],
    failed: ['Etwas ist schiefgegangen', 'Es lag nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.'],
    address: [
      'Falsche Adresse',
      'Sie haben diese Seite unter {opened} geöffnet, aber die BASE_URL dieses Dienstes ist {baseUrl}. Öffnen Sie stattdessen diese Adresse. Wenn Sie den Dienst betreiben und seine Adresse nicht stimmt, ändern Sie BASE_URL.',
    ],
    cookies: [
      'Cookies fehlen',
      'Ihr Browser hat die Cookies dieser Website nicht gesendet. Erlauben Sie Cookies für diese Website und beginnen Sie noch einmal. Über http behalten Browser diese Cookies nur auf localhost.',
    ],
    start: 'Zur Startseite',
    request: 'Wenn Sie um Hilfe bitten, nennen Sie diese Anfrage:',
  },
  es: {
    missing: ['Esta página no existe', 'Puede que la dirección esté mal escrita o que el enlace sea antiguo.'],
    limited: ['Demasiadas peticiones', 'Espere un momento y vuelva a cargar esta página.'],
    refused: ['No es posible', 'La página no se puede mostrar de esta manera. Empiece de nuevo.'],
    failed: ['Algo ha fallado', 'No es culpa suya. Inténtelo de nuevo en un momento.'],
    address: [
      'Dirección incorrecta',
      'Ha abierto esta página en {opened}, pero la BASE_URL de este servicio es {baseUrl}. Abra esa dirección. Si usted administra el servicio y su dirección es incorrecta, cambie BASE_URL.',
    ],
    cookies: [
      'Faltan las cookies',
      'Su navegador no envió las cookies de este sitio. Permita las cookies para este sitio y empiece de nuevo. Con http, los navegadores solo las conservan en localhost.',
    ],
    start: 'Ir a la página de inicio',
    request: 'Si pide ayuda, indique esta petición:',
  },
  fr: {
    missing: ['Cette page n’existe pas', 'L’adresse est peut-être mal saisie, ou le lien est ancien.'],
    limited: ['Trop de demandes', 'Attendez un instant, puis rechargez cette page.'],
    refused: ['C’est impossible', 'La page ne peut pas être affichée ainsi. Recommencez.'],
    failed: ['Un problème est survenu', 'Vous n’y êtes pour rien. Réessayez dans un instant.'],
    address: [
      'Mauvaise adresse',
      'Vous avez ouvert cette page à l’adresse {opened}, mais la BASE_URL de ce service est {baseUrl}. Ouvrez plutôt cette adresse. Si vous gérez ce service et que son adresse est incorrecte, modifiez BASE_URL.',
    ],
    cookies: [
      'Cookies manquants',
      'Votre navigateur n’a pas envoyé les cookies de ce site. Autorisez les cookies pour ce site, puis recommencez. En http, les navigateurs ne les conservent que sur localhost.',
    ],
    start: 'Aller à la page d’accueil',
    request: 'Si vous demandez de l’aide, indiquez cette demande :',
  },
  ja: {
    missing: ['ページが見つかりません', 'アドレスが間違っているか、リンクが古い可能性があります。'],
    limited: ['リクエストが多すぎます', 'しばらく待ってから、ページを読み込み直してください。'],
    refused: ['この操作はできません', 'この方法ではページを表示できません。最初からやり直してください。'],
    failed: ['問題が発生しました', 'お客様の操作が原因ではありません。しばらくしてからもう一度お試しください。'],
    address: [
      'アドレスが違います',
      'このページは {opened} で開かれましたが、このサービスの BASE_URL は {baseUrl} です。そちらのアドレスを開いてください。サービスの管理者で、アドレスが正しくない場合は、BASE_URL を変更してください。',
    ],
    cookies: [
      'Cookie が届いていません',
      'ブラウザがこのサイトの Cookie を送信しませんでした。このサイトの Cookie を許可して、最初からやり直してください。http では、ブラウザは localhost でのみこの Cookie を保存します。',
    ],
    start: 'トップページへ',
    request: 'お問い合わせの際は、次のリクエスト番号をお知らせください。',
  },
  ar: {
    missing: ['هذه الصفحة غير موجودة', 'ربما كُتب العنوان خطأً، أو أن الرابط قديم.'],
    limited: ['طلبات كثيرة جدًا', 'انتظر لحظة، ثم أعد تحميل هذه الصفحة.'],
    refused: ['هذا غير ممكن', 'لا يمكن عرض الصفحة بهذه الطريقة. ابدأ من جديد.'],
    failed: ['حدث خطأ ما', 'ليس الخطأ منك. حاول مرة أخرى بعد لحظة.'],
    address: [
      'العنوان غير صحيح',
      'فتحتَ هذه الصفحة على العنوان {opened}، لكن قيمة BASE_URL لهذه الخدمة هي {baseUrl}. افتح هذا العنوان بدلًا من ذلك. إذا كنت تدير الخدمة وكان عنوانها غير صحيح، فغيّر BASE_URL.',
    ],
    cookies: [
      'ملفات تعريف الارتباط لم تصل',
      'لم يرسل متصفحك ملفات تعريف الارتباط الخاصة بهذا الموقع. اسمح بها لهذا الموقع، ثم ابدأ من جديد. عبر http لا تحتفظ المتصفحات بها إلا على localhost.',
    ],
    start: 'إلى صفحة البداية',
    request: 'إذا طلبت المساعدة، فاذكر رقم هذا الطلب:',
  },
} as const;
