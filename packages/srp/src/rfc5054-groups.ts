import { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';

/** RFC 5054 appendix A. */
const PRIME_1024 = `
  eeaf0ab9adb38dd69c33f80afa8fc5e86072618775ff3c0b9ea2314c9c256576d674df7496ea81d3383b4813d692c6e0
  e0d5d8e250b98be48e495c1d6089dad15dc7d7b46154d6b6ce8ef4ad69b15d4982559b297bcf1885c529f566660e57ec
  68edbc3c05726cc02fd4cbf4976eaa9afd5138fe8376435b9fc61d2fc0eb06e3`;

const PRIME_1536 = `
  9def3cafb939277ab1f12a8617a47bbbdba51df499ac4c80beeea9614b19cc4d5f4f5f556e27cbde51c6a94be4607a29
  1558903ba0d0f84380b655bb9a22e8dcdf028a7cec67f0d08134b1c8b97989149b609e0be3bab63d47548381dbc5b1fc
  764e3f4b53dd9da1158bfd3e2b9c8cf56edf019539349627db2fd53d24b7c48665772e437d6c7f8ce442734af7ccb7ae
  837c264ae3a9beb87f8a2fe9b8b5292e5a021fff5e91479e8ce7a28c2442c6f315180f93499a234dcf76e3fed135f9bb`;

const PRIME_2048 = `
  ac6bdb41324a9a9bf166de5e1389582faf72b6651987ee07fc3192943db56050a37329cbb4a099ed8193e0757767a13d
  d52312ab4b03310dcd7f48a9da04fd50e8083969edb767b0cf6095179a163ab3661a05fbd5faaae82918a9962f0b93b8
  55f97993ec975eeaa80d740adbf4ff747359d041d5c33ea71d281e446b14773bca97b43a23fb801676bd207a436c6481
  f1d2b9078717461a5b9d32e688f87748544523b524b0d57d5ea77a2775d2ecfa032cfbdbf52fb3786160279004e57ae6
  af874e7303ce53299ccc041c7bc308d82a5698f3a8d0c38271ae35f8e9dbfbb694b5c803d89f7ae435de236d525f5475
  9b65e372fcd68ef20fa7111f9e4aff73`;

/** Groups of RFC 5054 appendix A by length in bits, for comparison with other implementations. Cognito does not use them. */
export const RFC5054_GROUPS = {
  1024: defineGroup('rfc5054-1024', PRIME_1024),
  1536: defineGroup('rfc5054-1536', PRIME_1536),
  2048: defineGroup('rfc5054-2048', PRIME_2048),
  3072: { ...COGNITO_GROUP, name: 'rfc5054-3072', generator: 5n },
} as const satisfies Record<number, SrpGroup>;

function defineGroup(name: string, modulusHex: string): SrpGroup {
  const hex = modulusHex.replaceAll(/\s/g, '');
  return { name, modulus: BigInt(`0x${hex}`), generator: 2n, lengthBytes: hex.length / 2 };
}
