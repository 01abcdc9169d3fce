/** What the page of an error says, as text of HTML, by language and by what went wrong. */
export const ERROR_PAGE_TEXTS = {
  en: {
    missing: ['There is no such page', 'The address may have been mistyped, or the link is old.'],
    limited: ['Too many requests', 'Please wait a moment, then load this page again.'],
    refused: ['That is not possible', 'The page cannot be shown in this way. Please begin again.'],
    failed: ['Something went wrong', 'It was not your doing. Please try again in a moment.'],
    start: 'Go to the start page',
    request: 'If you ask for help, name this request:',
  },
  de: {
    missing: ['Diese Seite gibt es nicht', 'Vielleicht ist die Adresse vertippt, oder der Link ist alt.'],
    limited: ['Zu viele Anfragen', 'Bitte warten Sie einen Moment und laden Sie die Seite dann neu.'],
    refused: ['Das ist nicht möglich', 'Die Seite kann so nicht gezeigt werden. Bitte beginnen Sie noch einmal.'],
    failed: ['Etwas ist schiefgegangen', 'Es lag nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.'],
    start: 'Zur Startseite',
    request: 'Wenn Sie um Hilfe bitten, nennen Sie diese Anfrage:',
  },
} as const;
