import { accountsContract } from './testing/accounts-contract.ts';
import { allowancesContract } from './testing/allowances-contract.ts';
import { clientSessionsContract } from './testing/client-sessions-contract.ts';
import { deliveriesContract } from './testing/deliveries-contract.ts';
import { eventsContract } from './testing/events-contract.ts';
import { factorsContract } from './testing/factors-contract.ts';
import { groupsContract } from './testing/groups-contract.ts';
import { idempotencyContract } from './testing/idempotency-contract.ts';
import { messagesContract } from './testing/messages-contract.ts';
import { oauthContract } from './testing/oauth-contract.ts';
import { passkeysContract } from './testing/passkeys-contract.ts';
import { poolStoreContract } from './testing/pool-store-contract.ts';
import { poolsContract } from './testing/pools-contract.ts';
import { ratesContract } from './testing/rates-contract.ts';
import { recordsContract } from './testing/records-contract.ts';
import { registrationsContract } from './testing/registrations-contract.ts';
import { replicasContract } from './testing/replicas-contract.ts';
import { searchContract } from './testing/search-contract.ts';
import { stacksContract } from './testing/stacks-contract.ts';
import { STORE_LOCATIONS } from './testing/store-locations.ts';
import { webSessionsContract } from './testing/web-sessions-contract.ts';

const CONTRACTS = [
  poolStoreContract,
  poolsContract,
  factorsContract,
  passkeysContract,
  messagesContract,
  accountsContract,
  groupsContract,
  searchContract,
  eventsContract,
  deliveriesContract,
  ratesContract,
  replicasContract,
  recordsContract,
  registrationsContract,
  idempotencyContract,
  webSessionsContract,
  allowancesContract,
  oauthContract,
  stacksContract,
  clientSessionsContract,
];

for (const [name, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  for (const contract of CONTRACTS) contract(name, makeLocation);
}
