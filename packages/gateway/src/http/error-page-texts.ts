/** The texts of error pages, by language and by kind of error. `{opened}` and `{baseUrl}` are replaced. */
export const ERROR_PAGE_TEXTS = {
  en: {
    missing: ['Page not found', 'Check the address, or start again from the start page.'],
    limited: ['Too many requests', 'Wait a moment, then reload this page.'],
    refused: ['This page can’t be opened this way', 'Go back to where you came from and start again.'],
    failed: ['Something went wrong', 'The problem is on our side. Try again in a moment.'],
    address: [
      'Wrong address',
      'You opened this page at {opened}, but the BASE_URL of this service is {baseUrl}. Open that address instead. If you run this service and its address is wrong, change BASE_URL.',
    ],
    cookies: [
      'Cookies are missing',
      'Your browser didn’t send this site’s cookies. Allow cookies for this site, then start again. Over http, browsers keep these cookies only on localhost.',
    ],
    start: 'Go to the start page',
    request: 'If you contact support, include this request ID:',
  },
  de: {
    missing: ['Seite nicht gefunden', 'Prüfen Sie die Adresse oder beginnen Sie auf der Startseite.'],
    limited: ['Zu viele Anfragen', 'Warten Sie einen Moment und laden Sie die Seite dann neu.'],
    refused: [
      'Diese Seite lässt sich so nicht öffnen',
      'Gehen Sie dorthin zurück, woher Sie kamen, und beginnen Sie von vorn.',
    ],
    failed: ['Etwas ist schiefgegangen', 'Das Problem liegt bei uns. Versuchen Sie es gleich noch einmal.'],
    address: [
      'Falsche Adresse',
      'Sie haben diese Seite unter {opened} geöffnet, aber die BASE_URL dieses Dienstes ist {baseUrl}. Öffnen Sie stattdessen diese Adresse. Wenn Sie den Dienst betreiben und seine Adresse nicht stimmt, ändern Sie BASE_URL.',
    ],
    cookies: [
      'Cookies fehlen',
      'Ihr Browser hat die Cookies dieser Website nicht gesendet. Erlauben Sie Cookies für diese Website und beginnen Sie von vorn. Über http behalten Browser diese Cookies nur auf localhost.',
    ],
    start: 'Zur Startseite',
    request: 'Wenn Sie sich an den Support wenden, nennen Sie diese Anfrage-ID:',
  },
  es: {
    missing: ['Página no encontrada', 'Compruebe la dirección o empiece desde la página de inicio.'],
    limited: ['Demasiadas peticiones', 'Espere un momento y vuelva a cargar esta página.'],
    refused: ['Esta página no se puede abrir así', 'Vuelva al lugar de donde venía y empiece de nuevo.'],
    failed: ['Algo ha fallado', 'El problema está de nuestro lado. Inténtelo de nuevo en un momento.'],
    address: [
      'Dirección incorrecta',
      'Ha abierto esta página en {opened}, pero la BASE_URL de este servicio es {baseUrl}. Abra esa dirección. Si usted administra el servicio y su dirección es incorrecta, cambie BASE_URL.',
    ],
    cookies: [
      'Faltan las cookies',
      'Su navegador no envió las cookies de este sitio. Permita las cookies para este sitio y empiece de nuevo. Con http, los navegadores solo las conservan en localhost.',
    ],
    start: 'Ir a la página de inicio',
    request: 'Si contacta con el soporte, indique este identificador de petición:',
  },
  fr: {
    missing: ['Page introuvable', 'Vérifiez l’adresse ou repartez de la page d’accueil.'],
    limited: ['Trop de demandes', 'Attendez un instant, puis rechargez cette page.'],
    refused: ['Cette page ne peut pas être ouverte ainsi', 'Revenez à la page précédente et recommencez.'],
    failed: ['Un problème est survenu', 'Le problème vient de notre côté. Réessayez dans un instant.'],
    address: [
      'Mauvaise adresse',
      'Vous avez ouvert cette page à l’adresse {opened}, mais la BASE_URL de ce service est {baseUrl}. Ouvrez plutôt cette adresse. Si vous gérez ce service et que son adresse est incorrecte, modifiez BASE_URL.',
    ],
    cookies: [
      'Cookies manquants',
      'Votre navigateur n’a pas envoyé les cookies de ce site. Autorisez les cookies pour ce site, puis recommencez. En http, les navigateurs ne les conservent que sur localhost.',
    ],
    start: 'Aller à la page d’accueil',
    request: 'Si vous contactez l’assistance, indiquez cet identifiant de demande :',
  },
  ja: {
    missing: ['ページが見つかりません', 'アドレスを確認するか、トップページからやり直してください。'],
    limited: ['リクエストが多すぎます', 'しばらく待ってから、ページを読み込み直してください。'],
    refused: ['この方法ではページを開けません', '元の場所に戻り、最初からやり直してください。'],
    failed: ['問題が発生しました', 'サービス側で問題が発生しました。しばらくしてからもう一度お試しください。'],
    address: [
      'アドレスが違います',
      'このページは {opened} で開かれましたが、このサービスの BASE_URL は {baseUrl} です。そちらのアドレスを開いてください。サービスの管理者で、アドレスが正しくない場合は、BASE_URL を変更してください。',
    ],
    cookies: [
      'Cookie がありません',
      'ブラウザがこのサイトの Cookie を送信しませんでした。このサイトの Cookie を許可して、最初からやり直してください。http では、ブラウザは localhost でのみこの Cookie を保存します。',
    ],
    start: 'トップページへ',
    request: 'お問い合わせの際は、次のリクエストIDをお知らせください。',
  },
  ar: {
    missing: ['الصفحة غير موجودة', 'تحقق من العنوان، أو ابدأ من صفحة البداية.'],
    limited: ['طلبات كثيرة جدًا', 'انتظر لحظة، ثم أعد تحميل هذه الصفحة.'],
    refused: ['لا يمكن فتح هذه الصفحة بهذه الطريقة', 'ارجع من حيث أتيت وابدأ من جديد.'],
    failed: ['حدث خطأ ما', 'المشكلة من جانبنا. حاول مرة أخرى بعد لحظة.'],
    address: [
      'العنوان غير صحيح',
      'فتحتَ هذه الصفحة على العنوان {opened}، لكن قيمة BASE_URL لهذه الخدمة هي {baseUrl}. افتح هذا العنوان بدلًا من ذلك. إذا كنت تدير الخدمة وكان عنوانها غير صحيح، فغيّر BASE_URL.',
    ],
    cookies: [
      'ملفات تعريف الارتباط مفقودة',
      'لم يرسل متصفحك ملفات تعريف الارتباط الخاصة بهذا الموقع. اسمح بها لهذا الموقع، ثم ابدأ من جديد. عبر http لا تحتفظ المتصفحات بها إلا على localhost.',
    ],
    start: 'إلى صفحة البداية',
    request: 'إذا تواصلت مع الدعم، فاذكر معرّف هذا الطلب:',
  },
} as const;
