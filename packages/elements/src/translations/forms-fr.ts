import type { FormsMessages } from './languages.ts';

/** French for sign-up, recovery, and the pages of emailed links. */
export const messages: FormsMessages = {
  'signUp.title': 'Créez votre compte',
  'signUp.titleTo': 'Créez votre compte {app}',
  'signUp.subtitle': 'Cela prend moins d’une minute.',
  'signUp.submit': 'Créer le compte',
  'signUp.haveAccount': 'Déjà un compte ?',

  'verify.title': 'Confirmez votre adresse e-mail',
  'verify.subtitle': 'Saisissez le code envoyé à {destination}.',
  'verify.submit': 'Confirmer',
  'verify.doneSubtitle': 'Vous pouvez maintenant vous connecter.',

  'forgot.title': 'Mot de passe oublié ?',
  'forgot.subtitle':
    'Saisissez votre e-mail ou votre nom d’utilisateur : nous vous enverrons un code de réinitialisation.',
  'forgot.submit': 'Envoyer le code',
  'forgot.back': 'Retour à la connexion',

  'reset.title': 'Choisissez un nouveau mot de passe',
  'reset.subtitle': 'Si {username} a un compte, nous avons envoyé un code.',
  'reset.submit': 'Enregistrer le mot de passe',
  'reset.doneSubtitle': 'Connectez-vous avec votre nouveau mot de passe.',
  'reset.tooManyCodes': 'Trop de codes incorrects. Demandez un nouveau code.',

  'notMe.title': 'Ce n’était pas vous ?',
  'notMe.question':
    'Nous vous avons envoyé un message au sujet d’une modification de votre compte. Si elle ne vient pas de vous, quelqu’un d’autre y a peut-être accès.',
  'notMe.effect': 'Tous les appareils seront déconnectés. Vous choisirez ensuite un nouveau mot de passe.',
  'notMe.submit': 'Ce n’était pas moi',
  'notMe.done': 'Tous les appareils sont déconnectés',
  'notMe.doneSubtitle':
    'Choisissez maintenant un nouveau mot de passe pour que personne d’autre ne puisse se connecter.',

  'confirm.question': 'Quelqu’un s’est inscrit avec votre adresse e-mail.',
  'confirm.effect': 'Si c’était vous, confirmez votre adresse. Sinon, fermez cette page : rien ne changera.',
  'confirm.submit': 'Confirmer mon adresse',
  'claim.title': 'Saisissez votre mot de passe',
  'claim.subtitle': 'Saisissez le mot de passe choisi à l’inscription pour confirmer que ce compte est le vôtre.',
  'claim.useNew': 'Je ne me suis pas inscrit ou j’ai oublié le mot de passe',
  'claim.newEffect': 'Tout ce qui a été saisi lors de l’inscription sera supprimé, sauf votre adresse confirmée.',
  'claim.useOld': 'Utiliser le mot de passe de mon inscription',

  'link.used': 'Ce lien a expiré ou a déjà servi.',
  'link.missing': 'Ce lien est incomplet. Ouvrez-le à nouveau depuis le message.',
};
