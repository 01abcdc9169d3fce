import { PLACES } from './testing/places.ts';
import { poolStoreContract } from './testing/pool-store-contract.ts';
import { recordsContract } from './testing/records-contract.ts';

for (const [name, makePlace] of Object.entries(PLACES)) {
  poolStoreContract(name, makePlace);
  recordsContract(name, makePlace);
}
