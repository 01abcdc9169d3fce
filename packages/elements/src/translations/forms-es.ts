import type { FormsMessages } from './languages.ts';

/** Spanish for sign-up, recovery, and the pages of emailed links. */
export const messages: FormsMessages = {
  'signUp.title': 'Cree su cuenta',
  'signUp.titleTo': 'Cree su cuenta de {app}',
  'signUp.subtitle': 'Lleva menos de un minuto.',
  'signUp.submit': 'Crear cuenta',
  'signUp.haveAccount': '¿Ya tiene cuenta?',

  'verify.title': 'Confirme su correo electrónico',
  'verify.subtitle': 'Introduzca el código que enviamos a {destination}.',
  'verify.submit': 'Confirmar',
  'verify.doneSubtitle': 'Ya puede iniciar sesión.',

  'forgot.title': '¿Olvidó la contraseña?',
  'forgot.subtitle':
    'Introduzca su correo o nombre de usuario y le enviaremos un código para restablecer la contraseña.',
  'forgot.submit': 'Enviar código',
  'forgot.back': 'Volver al inicio de sesión',

  'reset.title': 'Elija una contraseña nueva',
  'reset.subtitle': 'Si {username} tiene una cuenta, hemos enviado un código.',
  'reset.submit': 'Guardar la contraseña nueva',
  'reset.doneSubtitle': 'Inicie sesión con la contraseña nueva.',
  'reset.tooManyCodes': 'Demasiados códigos incorrectos. Solicite un código nuevo.',

  'notMe.title': '¿No fue usted?',
  'notMe.question':
    'Le enviamos un mensaje sobre un cambio en su cuenta. Si no lo hizo usted, es posible que otra persona tenga acceso.',
  'notMe.effect': 'Se cerrará la sesión en todos los dispositivos. Después elegirá una contraseña nueva.',
  'notMe.submit': 'No fui yo',
  'notMe.done': 'Se ha cerrado la sesión en todos los dispositivos',
  'notMe.doneSubtitle': 'Elija ahora una contraseña nueva para que nadie más pueda iniciar sesión.',

  'confirm.question': 'Alguien se ha registrado con su dirección de correo.',
  'confirm.effect': 'Si fue usted, confirme su dirección. Si no, cierre esta página y no cambiará nada.',
  'confirm.submit': 'Confirmar mi dirección',
  'claim.title': 'Introduzca su contraseña',
  'claim.subtitle': 'Introduzca la contraseña que eligió al registrarse para confirmar que esta cuenta es suya.',
  'claim.useNew': 'No me registré o he olvidado la contraseña',
  'claim.newEffect': 'Se eliminará todo lo que se indicó en el registro, excepto su dirección confirmada.',
  'claim.useOld': 'Usar la contraseña de mi registro',

  'link.used': 'Este enlace ha caducado o ya se ha usado.',
  'link.missing': 'Este enlace está incompleto. Vuelva a abrirlo desde el mensaje.',
};
