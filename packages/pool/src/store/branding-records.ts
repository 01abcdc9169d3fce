/** The look of the pages of an app client, or of a pool, as Cognito's operations set it. */
export interface BrandingRecord {
  readonly poolId: string;
  /** `ALL`: for every client without its own. */
  readonly clientId: string;
  readonly kind: 'classic' | 'managed';
  /** Cognito's `ManagedLoginBrandingId`. */
  readonly id: string;
  readonly content: ClassicBranding | ManagedBranding;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** The look of `SetUICustomization`. */
export interface ClassicBranding {
  readonly css?: string;
  /** The logo, base64. */
  readonly image?: string;
}

/** The style of `CreateManagedLoginBranding`. */
export interface ManagedBranding {
  /** True: the style of pages without a brand. */
  readonly usesDefaults: boolean;
  /** Undefined if none were set. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly assets: readonly BrandingAsset[];
}

/** An image of a style (Cognito `AssetType`). */
export interface BrandingAsset {
  readonly Category: string;
  readonly ColorMode: string;
  readonly Extension: string;
  /** Base64. */
  readonly Bytes?: string;
  readonly ResourceId?: string;
}
