import {
  createApiKey,
  deleteApiKey,
  disableApiKey,
  enableApiKey,
  getApiKeyUsage,
  listApiKeys,
  rotateApiKey,
} from '@pegasus/contracts/api-keys'
import type { Call, Endpoints } from '../../platform/http/endpoints.ts'
import { pageRequestOf } from '../../platform/http/paging.ts'
import type { Refusals } from '../auth/index.ts'
import type { ApiKeys, KeyAdmin } from './api-keys.service.ts'

const adminOf = ({ user, audit }: Pick<Call<typeof enableApiKey>, 'user' | 'audit'>): KeyAdmin => ({
  accountId: user.accountId,
  audit,
})

export function addApiKeyRoutes(endpoints: Endpoints, deps: { keys: ApiKeys; refusals: Refusals }): void {
  const { keys, refusals } = deps

  endpoints.add(listApiKeys, async ({ query }) => keys.list(pageRequestOf(query)))

  endpoints.add(createApiKey, async (call) => {
    const answer = await refusals.watch(call, createApiKey, () => keys.create(call.body, call.caller))
    return answer.body
  })

  endpoints.add(getApiKeyUsage, ({ params }) => keys.getUsage(params.id))

  endpoints.add(rotateApiKey, async (call) => {
    const answer = await refusals.watch(call, rotateApiKey, () => keys.rotate(call.params.id, call.caller))
    return answer.body
  })

  endpoints.add(enableApiKey, (call) =>
    refusals.watch(call, enableApiKey, () => keys.setActive(call.params.id, true, adminOf(call))),
  )
  endpoints.add(disableApiKey, (call) => keys.setActive(call.params.id, false, adminOf(call)))

  endpoints.add(deleteApiKey, (call) => keys.remove(call.params.id, adminOf(call)))
}
