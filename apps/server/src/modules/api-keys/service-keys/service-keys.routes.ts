import {
  createServiceKey,
  listServiceKeys,
  revokeServiceKey,
  rotateServiceKey,
} from '@pegasus/contracts/service-keys'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ServiceKeys } from './service-keys.service.ts'

/** Adds the endpoints with which the owner manages the keys of the hosted service's protocol. */
export function addServiceKeyRoutes(endpoints: Endpoints, { keys }: { keys: ServiceKeys }): void {
  endpoints.add(listServiceKeys, () => keys.list())
  endpoints.add(createServiceKey, async ({ body, caller }) => (await keys.create(body, caller)).body)
  endpoints.add(rotateServiceKey, async ({ params, caller }) => (await keys.rotate(params.id, caller)).body)
  endpoints.add(revokeServiceKey, ({ params, audit }) => keys.revoke(params.id, { audit }))
}
