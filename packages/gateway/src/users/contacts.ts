import type { Attribute } from './attributes.ts';

/** The destination of a code, as Cognito reports it. */
export interface CodeDeliveryDetails {
  readonly AttributeName?: string;
  readonly DeliveryMedium?: string;
  readonly Destination?: string;
}

interface ContactKind {
  readonly medium: string;
  readonly mask: (destination: string) => string;
}

/** The attributes that can receive messages, and how Cognito masks them. */
const CONTACTS: Readonly<Record<string, ContactKind>> = {
  email: { medium: 'EMAIL', mask: maskEmail },
  phone_number: { medium: 'SMS', mask: maskPhoneNumber },
};

/** Whether a change of this attribute must be verified. */
export function isContact({ Name }: Attribute): boolean {
  return Object.hasOwn(CONTACTS, Name);
}

/** The delivery details of a code to this contact. */
export function toCodeDelivery({ Name, Value = '' }: Attribute): CodeDeliveryDetails {
  const kind = CONTACTS[Name];
  return kind === undefined
    ? { AttributeName: Name }
    : { AttributeName: Name, DeliveryMedium: kind.medium, Destination: kind.mask(Value) };
}

/** The only representation of the destinations of codes. */
export function presentDeliveries(deliveries: readonly CodeDeliveryDetails[]) {
  return deliveries.map(({ AttributeName = '', DeliveryMedium = '', Destination = '' }) => ({
    attribute: AttributeName,
    medium: DeliveryMedium,
    destination: Destination,
  }));
}

function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${takeFirstCharacter(address)}***@${takeFirstCharacter(address.slice(at + 1))}***`;
}

function maskPhoneNumber(number: string): string {
  return `+${'*'.repeat(Math.max(0, number.length - 5))}${number.slice(-4)}`;
}

function takeFirstCharacter(text: string): string {
  return [...text][0] ?? '';
}
