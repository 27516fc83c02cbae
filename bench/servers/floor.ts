// The baseline: a server that does only the minimum work for the same responses. It uses Fastify and the database
// driver directly. Each request looks up the session and runs one prepared statement for the columns that are shown.
// The statement reads a table that has an index for its order (`lib/floor-tables.ts`). There are no schemas,
// signatures, additional headers, limits or logs, and no code of Pegasus Ops.
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { requireFrom } from '../lib/workspace-packages.ts'

interface Pool {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

const { PORT = '', DATABASE_URL = '', PAGE_FOLDER = '' } = process.env
const ofServer = requireFrom('server')
const createServer = ofServer('fastify') as () => FastifyInstance
const pg = ofServer('pg') as { Pool: new (options: object) => Pool }
const url = new URL(DATABASE_URL)
const pool = new pg.Pool({
  host: url.searchParams.get('host') ?? url.hostname,
  port: Number(url.port),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
  max: 10,
  // With this threshold, PostgreSQL finds a short word even if two of its letters are swapped.
  options: '-c pg_trgm.similarity_threshold=0.2',
})
const http = createServer()

const MODEL = `id, title, description, tags, license_type, is_product, revision, created_at, version, file_name, file_size, format,
  triangles, bounding_box_mm, is_watertight, analysis_status, thumbnail_key, sha256`
const ITEM = `id, name, sku, quantity, reserved_quantity, reorder_point, max_stock, status, material_used, color, color_hex,
  selling_price_minor, created_at, location`
const ORDER = `id, order_number, customer_name, status, total_minor, currency, placed_at, due_at, source, revision, lines, pieces,
  missing, items`
const NEWEST = 'order by created_at desc, id desc limit $1'
const HAS_WORDS = `words @@ plainto_tsquery('simple', $2)`

/** The statement for each request. `$1` is the limit, `$2` the search text, and `$3` a mistyped word. */
const QUESTIONS: Readonly<Record<string, string>> = {
  models: `select ${MODEL} from floor_models ${NEWEST}`,
  'models-by-title': `select ${MODEL} from floor_models order by lower(title), id limit $1`,
  'models-by-size': `select ${MODEL} from floor_models order by file_size desc, id desc limit $1`,
  'models-of-material': `select ${MODEL} from floor_models where material = $2 ${NEWEST}`,
  'models-with-words': `select ${MODEL} from floor_models where ${HAS_WORDS} ${NEWEST}`,
  // Counts the words that are similar to the mistyped word `$3`, and searches for the correct word `$2`.
  'models-like-words': `
    select ${MODEL} from floor_models
    where ${HAS_WORDS} and (select count(*) from floor_words where word % $3) > 0 ${NEWEST}`,
  // Ranks only the newest matches, because ranking all of them takes long and nobody reads that many.
  'models-best-words': `
    select ${MODEL} from (select * from floor_models where ${HAS_WORDS} order by created_at desc, id desc limit 1000) newest
    order by ts_rank(words, plainto_tsquery('simple', $2)) desc, created_at desc, id desc limit $1`,
  items: `select ${ITEM} from floor_items ${NEWEST}`,
  'items-by-name': `select ${ITEM} from floor_items order by lower(name), id limit $1`,
  'items-by-quantity': `select ${ITEM} from floor_items order by quantity, id limit $1`,
  'items-running-low': `select ${ITEM} from floor_items where quantity <= reorder_point ${NEWEST}`,
  orders: `select ${ORDER} from floor_orders order by placed_at desc, id desc limit $1`,
  'orders-of-status': `select ${ORDER} from floor_orders where status = $2 order by placed_at desc, id desc limit $1`,
  'items-with-words': `select ${ITEM} from floor_items where ${HAS_WORDS} ${NEWEST}`,
}
/**
 * Matches the names of statements that must not be prepared. PostgreSQL has to plan them for each word, because an
 * index helps only if the word is rare.
 */
const PLANNED_EACH_TIME = /words/

const ask = async (name: string, text: string, values: unknown[]): Promise<unknown[]> =>
  (await pool.query({ ...(!PLANNED_EACH_TIME.test(name) && { name }), text, values })).rows

/** Looks up the session. The bearer token is the id of the session. */
async function requireSession(request: FastifyRequest): Promise<unknown> {
  const ids = (request.headers.authorization ?? '').split(' ')
  const [person] = await ask(
    'session',
    `select a.id, a.username, r.role_name, s.aal
     from sessions s join accounts a on a.id = s.account_id
     left join user_roles r on r.user_id = a.id and r.is_active
     where s.id = $1 and s.account_id = $2 and a.is_active and (s.ends_at is null or s.ends_at > now())`,
    ids,
  )
  if (person === undefined) throw new Error('no session')
  return person
}

http.get('/healthz', async () => 'ok')
http.get('/me', requireSession)
http.get('/model/:id', async (request: FastifyRequest<{ Params: { id: string } }>) => {
  await requireSession(request)
  const [model] = await ask(
    'model',
    `select f.*, v.*, f.id as id from stl_files f join stl_versions v on v.id = f.current_version_id
     where f.id = $1 and f.deleted_at is null`,
    [request.params.id],
  )
  return model
})
for (const [name, text] of Object.entries(QUESTIONS))
  http.get(
    `/${name}`,
    async (request: FastifyRequest<{ Querystring: { limit: string; q?: string; typed?: string } }>) => {
      await requireSession(request)
      const { limit, q, typed } = request.query
      return ask(name, text, [Number(limit), ...[q, typed].filter((value) => value !== undefined)])
    },
  )

interface StaticFiles {
  root: string
  prefix: string
  preCompressed: boolean
  maxAge: string
}
if (PAGE_FOLDER)
  http.register(ofServer('@fastify/static') as FastifyPluginCallback<StaticFiles>, {
    root: PAGE_FOLDER,
    prefix: '/page/',
    preCompressed: true,
    maxAge: '1h',
  })

await http.listen({ port: Number(PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
