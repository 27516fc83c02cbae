import type { ModuleName } from './module-name.ts'

/** Returns the contents of the files of a new module, by path relative to the project's folder. */
export function moduleFiles(name: ModuleName, migrationNumber: string): Record<string, string> {
  const server = `apps/server/src/modules/${name.kebab}`
  return {
    [`packages/contracts/src/${name.kebab}.ts`]: contract(name),
    [`apps/server/migrations/${migrationNumber}-${name.kebab}.sql`]: migration(name),
    [`${server}/index.ts`]: face(name),
    [`${server}/${name.kebab}.routes.ts`]: routes(name),
    [`${server}/${name.kebab}.service.ts`]: service(name),
    [`${server}/${name.kebab}.queries.ts`]: queries(name),
    [`${server}/${name.kebab}.routes.test.ts`]: test(name),
  }
}

/** Returns the lines that add the endpoints of a new module to the table of permissions. */
export const moduleAccess = ({ kebab }: ModuleName): string => `  'GET /api/${kebab}': 'signed-in',
  'POST /api/${kebab}': 'staff',
  'GET /api/${kebab}/:id': 'signed-in',
  'DELETE /api/${kebab}/:id': 'staff',
`

const contract = (n: ModuleName) => `import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'
import { requiredText, timestamp } from './fields.ts'

const { get, list, post, del } = declareEndpoints('${n.kebab}', { notFound: 'NOT_FOUND' })

export const ${n.one} = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: timestamp,
})
export type ${n.One} = z.output<typeof ${n.one}>

const NAME_MAX_LENGTH = 200

const create${n.One}Body = z.object({ name: requiredText(NAME_MAX_LENGTH, 'Name') })
export type Create${n.One}Body = z.output<typeof create${n.One}Body>

export const list${n.Many} = list('/api/${n.kebab}', 'signed-in', {
  summary: 'List ${n.manyText}, newest first',
  of: ${n.one},
})

export const create${n.One} = post('/api/${n.kebab}', 'staff', {
  summary: 'Create a ${n.oneText}',
  body: create${n.One}Body,
  creates: ${n.one},
})

export const get${n.One} = get('/api/${n.kebab}/:id', 'signed-in', {
  summary: 'Get a ${n.oneText}',
  returns: ${n.one},
})

export const delete${n.One} = del('/api/${n.kebab}/:id', 'staff', {
  summary: 'Delete a ${n.oneText}',
})
`

const migration = (n: ModuleName) => `create table ${n.table} (
  id uuid primary key,
  name text not null constraint ${n.table}_name_present check (name <> ''),
  created_at timestamptz not null
);

-- The order of the list.
create index ${n.table}_newest on ${n.table} (created_at desc, id desc);
`

const face = (n: ModuleName) => `import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { add${n.One}Routes } from './${n.kebab}.routes.ts'
import { create${n.Many} } from './${n.kebab}.service.ts'

/** Adds the endpoints of ${n.manyText}. */
export function add${n.Many}(endpoints: Endpoints, deps: { database: Database; clock: Clock }): void {
  add${n.One}Routes(endpoints, { ${n.many}: create${n.Many}(deps) })
}
`

const routes = (
  n: ModuleName,
) => `import { create${n.One}, delete${n.One}, get${n.One}, list${n.Many} } from '@pegasus/contracts/${n.kebab}'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { pageRequestOf } from '../../platform/http/paging.ts'
import type { ${n.Many} } from './${n.kebab}.service.ts'

export function add${n.One}Routes(endpoints: Endpoints, { ${n.many} }: { ${n.many}: ${n.Many} }): void {
  endpoints.add(list${n.Many}, async ({ query }) => ${n.many}.list(pageRequestOf(query)))

  endpoints.add(create${n.One}, ({ body }) => ${n.many}.create(body))

  endpoints.add(get${n.One}, ({ params }) => ${n.many}.get(params.id))

  endpoints.add(delete${n.One}, ({ params }) => ${n.many}.remove(params.id))
}
`

const service = (
  n: ModuleName,
) => `import type { Create${n.One}Body, ${n.One} } from '@pegasus/contracts/${n.kebab}'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Page, type PageRequest, toPage } from '../../platform/http/paging.ts'
import { count${n.Many}, delete${n.One}, find${n.One}, insert${n.One}, list${n.Many} } from './${n.kebab}.queries.ts'

export interface ${n.Many} {
  /** One page, newest first. */
  list(page: PageRequest): Promise<Page<${n.One}>>
  create(body: Create${n.One}Body): Promise<${n.One}>
  /** Throws NOT_FOUND. */
  get(id: string): Promise<${n.One}>
  /** Throws NOT_FOUND. */
  remove(id: string): Promise<void>
}

export function create${n.Many}({ database, clock }: { database: Database; clock: Clock }): ${n.Many} {
  return {
    async list(page) {
      const [rows, total] = await Promise.all([list${n.Many}(database.sql, page), count${n.Many}(database.sql)])
      return toPage(rows, page.limit, total)
    },

    create: ({ name }) => insert${n.One}(database.sql, { id: uuidv7(), name, createdAt: clock.now() }),

    async get(id) {
      const found = await find${n.One}(database.sql, id)
      if (!found) throw new AppError('NOT_FOUND')
      return found
    },

    async remove(id) {
      if (!(await delete${n.One}(database.sql, id))) throw new AppError('NOT_FOUND')
    },
  }
}
`

const queries = (n: ModuleName) => `import type { ${n.One} } from '@pegasus/contracts/${n.kebab}'
import type { Queryable } from '../../platform/database/database.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import type { PageRequest } from '../../platform/http/paging.ts'

const columns = (sql: Queryable) => sql\`id, name, created_at\`

/** Returns one row more than the page when another page follows. */
export const list${n.Many} = (sql: Queryable, page: PageRequest): Promise<${n.One}[]> =>
  sql<${n.One}[]>\`
    select \${columns(sql)} from ${n.table}
    where true \${newestFirst(sql, page, sql\`created_at\`, sql\`id\`)}\`

export const count${n.Many} = (sql: Queryable): Promise<number> =>
  countUpToCap(sql, sql\`select 1 from ${n.table}\`)

export const find${n.One} = (sql: Queryable, id: string) =>
  firstRow(sql<${n.One}[]>\`select \${columns(sql)} from ${n.table} where id = \${id}\`)

export async function insert${n.One}(
  sql: Queryable,
  row: { id: string; name: string; createdAt: Date },
): Promise<${n.One}> {
  const [inserted] = await sql<[${n.One}]>\`
    insert into ${n.table} (id, name, created_at) values (\${row.id}, \${row.name}, \${row.createdAt})
    returning \${columns(sql)}\`
  return inserted
}

/** Returns whether the row existed. */
export async function delete${n.One}(sql: Queryable, id: string): Promise<boolean> {
  const deleted = await sql\`delete from ${n.table} where id = \${id} returning 1\`
  return deleted.length > 0
}
`

const test = (n: ModuleName) => `import type { ${n.One} } from '@pegasus/contracts/${n.kebab}'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'

const URL = '/api/${n.kebab}'

describe('${n.kebab}', () => {
  describe('valid requests', () => {
    it('creates, lists, returns and deletes a ${n.oneText}', async () => {
      const app = await buildTestApp()
      const headers = await app.as('staff')
      const created = await app.http.inject({ method: 'POST', url: URL, headers, payload: { name: ' First ' } })
      expect(created.statusCode).toBe(201)
      const ${n.one} = created.json<${n.One}>()
      expect(${n.one}.name).toBe('First')
      expect((await app.http.inject({ url: URL, headers })).json()).toEqual([${n.one}])
      const url = \`\${URL}/\${${n.one}.id}\`
      expect((await app.http.inject({ url, headers })).json()).toEqual(${n.one})
      expect((await app.http.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204)
      expect((await app.http.inject({ url, headers })).statusCode).toBe(404)
    })
  })

  describe('refuses bad input', () => {
    it('names the field that is missing or too long', async () => {
      const app = await buildTestApp()
      const headers = await app.as('staff')
      for (const payload of [{}, { name: '  ' }, { name: 'x'.repeat(201) }]) {
        const answer = await app.http.inject({ method: 'POST', url: URL, headers, payload })
        expect(answer.statusCode).toBe(422)
        expect(answer.json()).toMatchObject({ errors: [{ path: 'name' }] })
      }
    })
  })

  describe('refuses the wrong person', () => {
    it('lets viewers read and not write', async () => {
      const app = await buildTestApp()
      const headers = await app.as('viewer')
      expect((await app.http.inject({ url: URL, headers })).statusCode).toBe(200)
      const payload = { name: 'First' }
      expect((await app.http.inject({ method: 'POST', url: URL, headers, payload })).statusCode).toBe(403)
      expect((await app.http.inject({ url: URL })).statusCode).toBe(401)
    })
  })
})
`
