// The least work of a list: plain Fastify and the plain driver, one session look-up per request, and the product's
// SQL. No signature, schema, header, limit or log.
import type { InventorySort } from '@pegasus/contracts/inventory/items'
import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { createInventory } from '../../apps/server/src/modules/inventory/items/item-list.service.ts'
import { findTerms } from '../../apps/server/src/modules/stl-library/search/search-terms.queries.ts'
import { createSearch } from '../../apps/server/src/modules/stl-library/search/search.service.ts'
import {
  countModels,
  listModels,
} from '../../apps/server/src/modules/stl-library/search/model-list.queries.ts'
import { findModel } from '../../apps/server/src/modules/stl-library/models/models.queries.ts'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { benchLog } from '../lib/log.ts'
import { partOf } from '../lib/parts.ts'
import { searchWords } from '../lib/word-index.ts'

const { PORT = '', DATABASE_URL = '', PAGE_FOLDER = '' } = process.env
const ofServer = partOf('server')
const createServer = ofServer('fastify') as () => FastifyInstance
const database = await openDatabase({ url: DATABASE_URL, log: benchLog, applicationName: 'ideal' })
const { sql } = database
const finding = createSearch({ database })
const inventory = createInventory({ database })
const http = createServer()

interface StaticFiles {
  root: string
  prefix: string
  preCompressed: boolean
  maxAge: string
}
interface ListQuery {
  limit: string
  search?: string
  sort?: ModelSort
  material?: string
}
type Asked = FastifyRequest<{ Querystring: ListQuery; Params: { id: string } }>

/** The bearer token is the session's id itself. */
async function requireSession(request: FastifyRequest): Promise<void> {
  const [sessionId = '', accountId = ''] = (request.headers.authorization ?? '').split(' ')
  const [person] = await sql`
    select p.* from sessions s join people p on p.id = s.account_id
    where s.id = ${sessionId} and s.account_id = ${accountId} and p.is_active`
  if (!person) throw new Error('no session')
}

const filterOf = async ({ query }: Asked) => ({ tags: [], terms: await findTerms(sql, query.search) })
const pageOf = ({ query }: Asked) => ({ sort: 'newest', cursor: null, limit: Number(query.limit) }) as const

http.get('/healthz', async () => 'ok')
http.get('/list', async (request: Asked) => {
  await requireSession(request)
  return listModels(sql, await filterOf(request), pageOf(request))
})
http.get('/list-and-count', async (request: Asked) => {
  await requireSession(request)
  const filter = await filterOf(request)
  const [rows] = await Promise.all([listModels(sql, filter, pageOf(request)), countModels(sql, filter)])
  return rows
})
http.get('/find', async (request: Asked) => {
  await requireSession(request)
  const { search, sort = 'newest', material, limit } = request.query
  const page = await finding.list(
    { search, material, tags: [] },
    { sort, cursor: null, limit: Number(limit) },
  )
  return page.items
})
interface ItemsQuery {
  limit: string
  search?: string
  sort?: InventorySort
  low_stock_only?: string
}
http.get('/items', async (request: FastifyRequest<{ Querystring: ItemsQuery }>) => {
  await requireSession(request)
  const { search, sort = 'newest', low_stock_only: low, limit } = request.query
  const page = await inventory.list(
    { search, low_stock_only: low === 'true' },
    { sort, cursor: null, limit: Number(limit) },
  )
  return page.items
})
http.get('/list-by-words', async (request: Asked) => {
  await requireSession(request)
  return searchWords(sql, request.query.search ?? '', Number(request.query.limit))
})
http.get('/one/:id', async (request: Asked) => {
  await requireSession(request)
  return findModel(sql, request.params.id)
})
http.get('/raw/:id', async (request: Asked) => findModel(sql, request.params.id))
if (PAGE_FOLDER)
  http.register(ofServer('@fastify/static') as FastifyPluginCallback<StaticFiles>, {
    root: PAGE_FOLDER,
    prefix: '/page/',
    preCompressed: true,
    maxAge: '1h',
  })

await http.listen({ port: Number(PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
