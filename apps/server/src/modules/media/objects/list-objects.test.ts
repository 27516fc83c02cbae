import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { OBJECT, sendForm } from '../../../../test/storage/media-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { SECOND_MS } from '../../../platform/clock.ts'

const COLUMNS = ['name', 'created_at', 'updated_at'] as const
const ORDERS = ['asc', 'desc'] as const

/** The order in which the files are created, which differs from the order of their names. */
const NAMES = [
  'b/2.jpg',
  'a.jpg',
  'a/x/deep.jpg',
  'Z.jpg',
  'a/1.jpg',
  'b/1.jpg',
  'aa.jpg',
  'a/2.jpg',
  'a b.jpg',
  'images_x.jpg',
]
const REPLACED = 'a/1.jpg'

async function aShopWithFiles() {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const bytes = await aPicture({ width: 2, height: 2 })
  for (const path of [...NAMES, REPLACED]) {
    app.clock.advance(SECOND_MS)
    expect((await sendForm(app, staff, { path: encodeURI(path), bytes })).statusCode).toBe(200)
  }
  // Give two files the same time, so that their names decide the order.
  await app.database.sql`
    update objects set created_at = '2026-01-01 00:00:00.000001Z', updated_at = created_at
    where name in ('Z.jpg', 'aa.jpg')`
  return { app, bucket: (await aStorageClient(app, 'viewer')).bucket }
}

type Client = Awaited<ReturnType<typeof aShopWithFiles>>['bucket']
type Options = Exclude<Parameters<Client['listV2']>[0], undefined>

/** Reads all pages. Only the first request states the order. */
async function readAll(bucket: Client, { sortBy, ...options }: Options) {
  const [names, folders, objects]: string[][] = [[], [], []]
  let pages = 0
  let cursor: string | undefined
  do {
    const { data, error } = await bucket.listV2({
      ...options,
      ...(cursor === undefined ? sortBy && { sortBy } : { cursor }),
    })
    expect(error).toBeNull()
    const found = [...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name)
    names?.push(...found)
    folders?.push(...(data?.folders ?? []).map(({ name }) => name))
    objects?.push(...(data?.objects ?? []).map(({ name }) => name))
    pages += 1
    expect(data?.hasNext).toBe(data?.nextCursor !== undefined)
    cursor = data?.nextCursor
  } while (cursor !== undefined && pages < 100)
  return { names, folders, objects, pages }
}

const inOrder = (names: string[]) => names.toSorted((a, b) => (a < b ? -1 : 1))

describe('listing files page by page', () => {
  it('listing media page by page returns each file once, in every order and with every page size', async () => {
    const { app, bucket } = await aShopWithFiles()
    const rows = await app.database.sql<{ name: string; created_at: string; updated_at: string }[]>`
      select name, created_at, updated_at from objects`
    let wrong = 0
    let lists = 0
    for (const column of COLUMNS)
      for (const order of ORDERS)
        for (const limit of [1, 3, 10, 1000, 1_000_000]) {
          const { objects, pages } = await readAll(bucket, { sortBy: { column, order }, limit })
          const sign = order === 'asc' ? 1 : -1
          const expected = [...rows].sort(
            (a, b) =>
              sign * (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : a.name < b.name ? -1 : 1),
          )
          lists += 1
          const isRight = JSON.stringify(objects) === JSON.stringify(expected.map(({ name }) => name))
          if (!isRight || pages !== Math.ceil(NAMES.length / limit)) wrong += 1
        }
    console.info(`lists in pages that skip, repeat or disorder ${wrong} of ${lists}`)
    expect(wrong).toBe(0)
  })

  it('listing media returns folders if a delimiter is given', async () => {
    const { bucket } = await aShopWithFiles()
    const flat = await bucket.listV2()
    expect([flat.data?.folders, flat.data?.objects.map(({ name }) => name)]).toEqual([[], inOrder(NAMES)])
    const top = ['Z.jpg', 'a b.jpg', 'a.jpg', 'a/', 'aa.jpg', 'b/', 'images_x.jpg']
    for (const limit of [1, 2, 3, 7]) {
      const { names, folders, objects, pages } = await readAll(bucket, { with_delimiter: true, limit })
      expect([folders, objects, pages, names?.length]).toEqual([
        ['a/', 'b/'],
        top.filter((name) => !name.endsWith('/')),
        Math.ceil(7 / limit),
        7,
      ])
    }
    const down = { column: 'name', order: 'desc' } as const
    expect((await readAll(bucket, { with_delimiter: true, sortBy: down, limit: 1 })).names).toEqual(
      top.toReversed(),
    )
    // A folder has the date of its oldest file. The oldest file of all is `b/2.jpg`.
    const byAge = { column: 'created_at', order: 'asc' } as const
    expect((await readAll(bucket, { with_delimiter: true, sortBy: byAge, limit: 2 })).folders).toEqual([
      'b/',
      'a/',
    ])
    const within = async (prefix: string) => {
      const { data } = await bucket.listV2({ prefix, with_delimiter: true })
      return [...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name)
    }
    expect(await within('a/')).toEqual(['a/x/', 'a/1.jpg', 'a/2.jpg'])
    expect(await within('a')).toEqual(['a/', 'a b.jpg', 'a.jpg', 'aa.jpg'])
    expect(await within('%')).toEqual([])
    expect(await within('_')).toEqual([])
    const [file] = (await bucket.listV2({ prefix: 'aa.jpg' })).data?.objects ?? []
    expect(file).toMatchObject({
      name: 'aa.jpg',
      key: 'aa.jpg',
      metadata: { mimetype: 'image/jpeg', cacheControl: 'max-age=3600' },
    })
  })

  it('listing media refuses an invalid cursor, bucket or order, and returns nothing to strangers', async () => {
    const { app } = await aShopWithFiles()
    const viewer = await app.as('viewer')
    const ask = async (payload: object, { headers = viewer as object, bucket = 'product-images' } = {}) => {
      const url = `${OBJECT}/list-v2/${bucket}`
      const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers }, payload })
      return [answer.statusCode, answer.json<{ statusCode?: string }>().statusCode]
    }
    const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const cursors = [
      'nonsense',
      'a'.repeat(3000),
      cursorOf({}),
      cursorOf(['name', false]),
      cursorOf(['sha256', false, 'a', null]),
      cursorOf(['created_at', false, 'a', null]),
      cursorOf(['created_at', false, 'a', "2026-01-01' or true"]),
      cursorOf(['created_at', false, 'a', 'infinity']),
      cursorOf(['created_at', false, 'a', '2026-13-41T99:99:99Z']),
      cursorOf(['name', 'asc', 'a', null]),
      cursorOf(['name', false, 'x'.repeat(1200), null]),
      cursorOf(['name', false, 'a\0', null]),
    ]
    for (const cursor of cursors) expect([cursor, ...(await ask({ cursor }))]).toEqual([cursor, 400, '422'])
    for (const body of [
      { limit: 0 },
      { limit: 1.5 },
      { limit: '5' },
      { prefix: 7 },
      { prefix: 'x'.repeat(1001) },
      { sortBy: { column: 'sha256' } },
      { sortBy: { column: 'name', order: 'up' } },
      { with_delimiter: 'yes' },
    ])
      expect(await ask(body)).toEqual([400, '422'])
    expect(await ask({}, { bucket: 'none' })).toEqual([400, '404'])
    expect(await ask({}, { headers: {} })).toEqual([401, '401'])
    expect(await ask({ prefix: 'a\0' })).toEqual([400, '422'])
  })
})
