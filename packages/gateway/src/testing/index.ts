/** What the tests of other packages run on: a gateway over a real pool. */
export { PASSWORD, type PoolService, poolService } from './pool-service.ts';
