import type { Attribute } from './attributes.ts';

/** Where a code went, as Cognito tells it. */
export interface CodeDeliveryDetails {
  readonly AttributeName?: string;
  readonly DeliveryMedium?: string;
  readonly Destination?: string;
}

interface ContactKind {
  readonly medium: string;
  readonly mask: (destination: string) => string;
}

/** The attributes that messages go to, and how Cognito masks them. */
const CONTACTS: Readonly<Record<string, ContactKind>> = {
  email: { medium: 'EMAIL', mask: maskEmail },
  phone_number: { medium: 'SMS', mask: maskPhoneNumber },
};

/** Whether a change of this attribute has to be proven. */
export function isContact({ Name }: Attribute): boolean {
  return Object.hasOwn(CONTACTS, Name);
}

/** What would be told about a code for this contact. */
export function toCodeDelivery({ Name, Value = '' }: Attribute): CodeDeliveryDetails {
  const kind = CONTACTS[Name];
  return kind === undefined
    ? { AttributeName: Name }
    : { AttributeName: Name, DeliveryMedium: kind.medium, Destination: kind.mask(Value) };
}

/** The one way in which an answer tells where codes went. */
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
