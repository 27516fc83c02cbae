import {
  type ModelSort,
  deleteSavedSearch,
  listModelTags,
  listSavedSearches,
  listModels,
  saveSearch,
} from '@pegasus/contracts/stl-library/search'
import type { RequestOf } from '@pegasus/contracts/endpoint'
import { normalizeTags } from '@pegasus/contracts/stl-library/models'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { createResponseCache } from '../../../platform/http/lists/response-cache.ts'
import { createListBodies } from '../../../platform/http/lists/list-bodies.ts'
import type { WrittenPage } from '../../../platform/http/paging.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { Search, ModelSearch } from './search.service.ts'
import { decodeModelCursor } from './model-cursor.ts'
import type { SavedSearches } from './saved-searches.service.ts'

type ListQuery = RequestOf<typeof listModels>['query']

/** Parses a validated text such as `220x220x250`. */
function readBed(text: string): [number, number, number] {
  const [width = 0, depth = 0, height = 0] = text.split('x').map(Number)
  return [width, depth, height]
}

const readFlag = (text: 'true' | 'false' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

const searchOf = (query: ListQuery): ModelSearch => ({
  search: query.search,
  tags: normalizeTags(query.tags?.split(',') ?? []),
  licenseType: query.license_type,
  sale: query.sale,
  material: query.material,
  format: query.format,
  bedMm: query.fits === undefined ? undefined : readBed(query.fits),
  isWatertight: readFlag(query.is_watertight),
  isProduct: readFlag(query.is_product),
  uploadedBy: query.uploaded_by,
  createdFrom: query.created_from,
  createdTo: query.created_to,
  isTrash: query.deleted === 'true',
})

/** The results of a search without words have no relevance, so they are sorted by age. */
const sortOf = ({ sort, search }: ListQuery): ModelSort =>
  sort === 'relevance' && !search?.trim() ? 'newest' : sort

export function addSearchRoutes(
  endpoints: Endpoints,
  deps: { finding: Search; savedSearches: SavedSearches; signer: PathSigner; clock: Clock },
): void {
  const { finding, savedSearches, signer } = deps
  const bodies = createListBodies(signer)
  const responses = createResponseCache<WrittenPage>(deps)

  endpoints.add(listModels, async (call) => {
    const { query } = call
    const sort = sortOf(query)
    const cursor = decodeModelCursor(query.cursor, sort, query.deleted === 'true')
    return responses.of(call, async () => {
      const page = await finding.find(searchOf(query), { sort, cursor, limit: query.limit })
      return bodies.write(page, finding.read)
    })
  })

  endpoints.add(listModelTags, async ({ query }) => finding.listTags(query))

  endpoints.add(listSavedSearches, async ({ user, query }) => savedSearches.list(user.accountId, query.list))

  endpoints.add(saveSearch, async ({ user, body, request, reply }) => {
    const by = { accountId: user.accountId, role: user.user.role, idempotencyKey: idempotencyKeyOf(request) }
    const answer = await savedSearches.save(by, body)
    reply.code(answer.status)
    return answer.body
  })

  endpoints.add(deleteSavedSearch, async ({ user, params }) => {
    await savedSearches.forget(user.accountId, params.id)
  })
}
