import { factorsContract } from './testing/factors-contract.ts';
import { messagesContract } from './testing/messages-contract.ts';
import { passkeysContract } from './testing/passkeys-contract.ts';
import { PLACES } from './testing/places.ts';
import { poolStoreContract } from './testing/pool-store-contract.ts';
import { recordsContract } from './testing/records-contract.ts';

for (const [name, makePlace] of Object.entries(PLACES)) {
  poolStoreContract(name, makePlace);
  factorsContract(name, makePlace);
  passkeysContract(name, makePlace);
  messagesContract(name, makePlace);
  recordsContract(name, makePlace);
}
