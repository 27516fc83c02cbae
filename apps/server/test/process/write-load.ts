import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { User } from '@pegasus/contracts/users/users'
import { bearer, OWNER } from './product-process.ts'

const MAX_TRIANGLES = 60
const UPLOADERS = 2

/** The data that the server has confirmed. */
export interface Acknowledged {
  /** The SHA-256 of each model's bytes, by the id of the model. */
  models: Map<string, string>
  /** The email address of each account, by the id of the account. */
  accounts: Map<string, string>
  signedIn: string[]
  signedOut: string[]
}

export const nothingYet = (): Acknowledged => ({
  models: new Map(),
  accounts: new Map(),
  signedIn: [],
  signedOut: [],
})

export const countOf = ({ models, accounts, signedIn, signedOut }: Acknowledged): number =>
  models.size + accounts.size + signedIn.length + signedOut.length

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Returns a valid model that differs from all others. */
export function aModel(triangles = randomInt(1, MAX_TRIANGLES)): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(84 + 50 * triangles)
  bytes.write(`model ${randomUUID()}`, 0, 'latin1')
  bytes.writeUInt32LE(triangles, 80)
  for (let triangle = 0; triangle < triangles; triangle += 1)
    for (let value = 3; value < 12; value += 1)
      bytes.writeFloatLE(randomInt(0, 100_000) / 1000, 84 + 50 * triangle + 4 * value)
  return bytes
}

export const postJson = (url: string, headers: Record<string, string>, body?: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

export async function uploadModel(
  url: string,
  token: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const form = new FormData()
  form.append('upload_method', 'file')
  form.append('file', new Blob([bytes]), 'model.stl')
  return fetch(`${url}/api/stl-files/upload`, { method: 'POST', headers: bearer(token), body: form })
}

/** Starts an upload that sends half of its file and waits before it sends the rest. */
export function heldUpload(url: string, token: string, bytes: Uint8Array) {
  const boundary = randomUUID()
  const half = Math.floor(bytes.byteLength / 2)
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="upload_method"\r\n\r\nfile\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="held.stl"\r\ncontent-type: model/stl\r\n\r\n`
  const released = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(head))
      controller.enqueue(bytes.subarray(0, half))
      await released.promise
      controller.enqueue(bytes.subarray(half))
      controller.enqueue(Buffer.from(`\r\n--${boundary}--\r\n`))
      controller.close()
    },
  })
  const response = fetch(`${url}/api/stl-files/upload`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
    duplex: 'half',
  })
  return { response, release: () => released.resolve() }
}

export interface WriteLoad {
  /** Resolves when this many more writes have been confirmed. */
  untilAcknowledged(count: number): Promise<void>
  /** Stops writing and waits for the running requests, whatever their result is. */
  stop(): Promise<void>
  /** Number of responses without a confirmation, by status. The status `0` means a broken connection. */
  refusals: Map<number, number>
}

/**
 * Writes to a server without a pause, with several requests at a time: uploads, invitations of accounts, sign-ins and
 * sign-outs. Records the confirmed writes in `acknowledged`. A writer ends when its connection breaks, unless
 * `keepsGoing` is set. `maxUploads` limits the uploads, because the server takes a second to measure and draw each
 * model.
 */
export function startWriteLoad(
  url: string,
  token: string,
  acknowledged: Acknowledged,
  options: { keepsGoing?: boolean; maxUploads?: number } = {},
): WriteLoad {
  const refusals = new Map<number, number>()
  const waiting: Array<{ count: number; resolve(): void }> = []
  let isStopped = false
  let uploadsLeft = options.maxUploads ?? Number.POSITIVE_INFINITY

  const noteRefusal = (status: number) => refusals.set(status, (refusals.get(status) ?? 0) + 1)
  const noteAcknowledged = () => {
    const count = countOf(acknowledged)
    for (const waiter of waiting) if (count >= waiter.count) waiter.resolve()
  }

  const upload = async () => {
    const bytes = aModel()
    const response = await uploadModel(url, token, bytes)
    const model = (await response.json()) as Model
    if (response.status === 201) acknowledged.models.set(model.id, sha256Of(bytes))
    else noteRefusal(response.status)
  }
  const invite = async () => {
    const username = `u-${randomUUID()}`
    const account = { email: `${username}@example.com`, username }
    const response = await postJson(`${url}/api/auth/users`, bearer(token), account)
    const user = (await response.json()) as User
    if (response.status === 201) acknowledged.accounts.set(user.id, user.email)
    else noteRefusal(response.status)
  }
  const comeIn = async (): Promise<string | null> => {
    // An interrupted sign-in counts as failed for a quarter of an hour, so each sign-in comes from another
    // address.
    const from = { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` }
    const response = await postJson(`${url}/api/auth/login`, from, OWNER)
    const { access_token: own } = (await response.json()) as { access_token: string }
    if (response.status === 200) return own
    noteRefusal(response.status)
    return null
  }
  const comeAndGo = async () => {
    const staying = await comeIn()
    if (staying) acknowledged.signedIn.push(staying)
    const leaving = await comeIn()
    if (!leaving) return
    const response = await postJson(`${url}/auth/v1/logout?scope=local`, bearer(leaving))
    await response.arrayBuffer()
    if (response.status === 204) acknowledged.signedOut.push(leaving)
    else noteRefusal(response.status)
  }

  const repeat = async (write: () => Promise<void>) => {
    while (!isStopped) {
      if (write === upload && uploadsLeft-- <= 0) return
      try {
        await write()
        noteAcknowledged()
      } catch {
        // The server was killed during this request, so it was not confirmed.
        noteRefusal(0)
        if (!options.keepsGoing) return
      }
    }
  }
  const writers = [...Array.from({ length: UPLOADERS }, () => upload), invite, comeAndGo].map(repeat)

  return {
    refusals,
    async untilAcknowledged(count) {
      const enough = Promise.withResolvers<void>()
      waiting.push({ count: countOf(acknowledged) + count, resolve: enough.resolve })
      await Promise.race([enough.promise, Promise.all(writers)])
    },
    async stop() {
      isStopped = true
      await Promise.all(writers)
    },
  }
}
