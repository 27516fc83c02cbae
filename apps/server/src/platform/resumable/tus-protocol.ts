import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Principal } from '../http/principal.ts'
import type { ResumableUploads, UploadOwner, UploadPurpose, UploadRow } from './resumable-uploads.ts'
import {
  assertTusVersion,
  hasChunk,
  metadataHeaderOf,
  readMetadata,
  readUploadLength,
  readUploadOffset,
  TUS_HEADERS,
} from './tus-headers.ts'

/** The upload that a client asks for. */
export interface UploadRequest {
  metadata: ReadonlyMap<string, string>
  lengthBytes: number
  replaces: boolean
  /** The id of the destination; null if it is not known yet, or if this kind of upload has none. */
  targetId: string | null
}

export interface TusExchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** The rules of one kind of upload. */
export interface TusRules<Caller extends Principal> {
  purpose: UploadPurpose
  /**
   * Returns the id of the destination, which is stored with the upload. Throws if the caller may not upload there.
   * Called when an upload begins and before each write.
   */
  admit(requested: UploadRequest, caller: Caller, stage: 'begin' | 'write'): Promise<string | null>
  /**
   * Optional. Stores the finished file permanently and ends the upload in the same transaction, before the
   * last request is answered. Safe to call again, even concurrently on another replica; a repeated call
   * stores nothing. Omit this function if another call does this work.
   */
  complete?(
    upload: UploadRow,
    requested: UploadRequest,
    caller: Caller,
    request: FastifyRequest,
  ): Promise<void>
}

/** Handles the requests of TUS 1.0.0 with the extensions creation, creation-with-upload, expiration and termination. */
export interface TusProtocol<Caller extends Principal> {
  /** Creates an upload. `path` is the path under which all uploads have their addresses. */
  create(
    exchange: TusExchange,
    caller: Caller,
    options: { path: string; replaces: boolean; tokenHash?: string; targetId?: string | null },
  ): Promise<FastifyReply>
  head(exchange: TusExchange, caller: Caller, id: string, tokenHash?: string): Promise<FastifyReply>
  write(exchange: TusExchange, caller: Caller, id: string, tokenHash?: string): Promise<FastifyReply>
  remove(exchange: TusExchange, caller: Caller, id: string, tokenHash?: string): Promise<FastifyReply>
}

export const ownerOfUpload = (caller: Principal): UploadOwner =>
  caller.kind === 'service_key'
    ? { accountId: null, keyId: caller.keyId }
    : { accountId: caller.accountId, keyId: null }

export const wishOf = ({
  metadata,
  length_bytes: lengthBytes,
  replaces,
  target_id: targetId,
}: UploadRow): UploadRequest => ({
  metadata: readMetadata(metadata),
  lengthBytes,
  replaces,
  targetId,
})

const expiryOf = (upload: UploadRow) => ({ 'upload-expires': new Date(upload.expires_at).toUTCString() })

const bodyOf = (request: FastifyRequest): AsyncIterable<Uint8Array> =>
  (request.body ?? []) as AsyncIterable<Uint8Array>

export function createTusProtocol<Caller extends Principal>(
  { uploads }: { uploads: ResumableUploads },
  rules: TusRules<Caller>,
): TusProtocol<Caller> {
  const { purpose } = rules
  /**
   * The completions that are running, by the id of their upload. All requests for an upload wait for the same
   * completion.
   */
  const completing = new Map<string, Promise<void>>()

  const find = (caller: Caller, id: string, tokenHash: string | undefined) =>
    uploads.get({ id, purpose, owner: { ...ownerOfUpload(caller), tokenHash } })

  const isReceived = (upload: UploadRow): boolean => upload.received_bytes === upload.length_bytes
  const isDue = (upload: UploadRow): boolean =>
    rules.complete !== undefined && upload.finished_at === null && isReceived(upload)

  /**
   * Returns the offset for the client. A client considers an upload finished when the offset equals the
   * length. So until the upload is completed, its last byte is reported as missing. If a crash or an
   * unreachable store prevented the completion, the client sends that byte again and thereby completes the
   * upload.
   */
  const offsetOf = (upload: UploadRow): number =>
    isDue(upload) ? Math.max(0, upload.length_bytes - 1) : upload.received_bytes

  const complete = async (upload: UploadRow, caller: Caller, request: FastifyRequest): Promise<void> => {
    const underWay =
      completing.get(upload.id) ??
      (async () => {
        await rules.complete?.(upload, wishOf(upload), caller, request)
      })().finally(() => completing.delete(upload.id))
    completing.set(upload.id, underWay)
    await underWay
  }

  const append = async (upload: UploadRow, offset: number, caller: Caller, request: FastifyRequest) => {
    // A client that got no response sends the last byte again, even if another replica has completed the
    // upload in the meantime.
    const isLastByteAgain =
      rules.complete !== undefined && isReceived(upload) && offset === Math.max(0, upload.length_bytes - 1)
    const received = isLastByteAgain
      ? upload.length_bytes
      : await uploads.append(upload, offset, bodyOf(request))
    const after = { ...upload, received_bytes: received }
    if (isDue(after)) await complete(after, caller, request)
    return received
  }

  return {
    async create({ request, reply }, caller, { path, replaces, tokenHash, targetId: signedTarget = null }) {
      const hasBytes = hasChunk(request)
      assertTusVersion(request)
      const lengthBytes = readUploadLength(request)
      const metadata = metadataHeaderOf(request)
      const requested = { metadata: readMetadata(metadata), lengthBytes, replaces, targetId: signedTarget }
      const targetId = await rules.admit(requested, caller, 'begin')
      const owner = { ...ownerOfUpload(caller), tokenHash }
      const upload = await uploads.create({ purpose, owner, metadata, replaces, targetId, lengthBytes })
      const received = hasBytes || lengthBytes === 0 ? await append(upload, 0, caller, request) : 0
      return reply
        .code(201)
        .headers({
          ...TUS_HEADERS,
          ...expiryOf(upload),
          location: `${path}/${upload.id}`,
          'upload-offset': received,
        })
        .type('text/plain; charset=utf-8')
        .send('')
    },

    async head({ request, reply }, caller, id, tokenHash) {
      assertTusVersion(request)
      const upload = await find(caller, id, tokenHash)
      return reply
        .headers({
          ...TUS_HEADERS,
          ...expiryOf(upload),
          ...(upload.metadata !== '' && { 'upload-metadata': upload.metadata }),
          'upload-offset': offsetOf(upload),
          'upload-length': upload.length_bytes,
          'cache-control': 'no-store',
        })
        .type('text/plain; charset=utf-8')
        .send('')
    },

    async write({ request, reply }, caller, id, tokenHash) {
      if (!hasChunk(request)) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
      assertTusVersion(request)
      const offset = readUploadOffset(request)
      const upload = await find(caller, id, tokenHash)
      await rules.admit(wishOf(upload), caller, 'write')
      const received = await append(upload, offset, caller, request)
      return reply.headers({ ...TUS_HEADERS, ...expiryOf(upload), 'upload-offset': received }).send()
    },

    async remove({ request, reply }, caller, id, tokenHash) {
      assertTusVersion(request)
      const upload = await find(caller, id, tokenHash)
      if (upload.finished_at !== null)
        throw new AppError('MALFORMED_REQUEST', { text: 'This upload is finished.' })
      await uploads.remove(upload)
      return reply.headers(TUS_HEADERS).send()
    },
  }
}
