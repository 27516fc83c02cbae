import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { Clock } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  type HttpResult,
  fingerprintOf,
  withIdempotency,
  type IdempotentCaller,
} from '../../../platform/http/idempotency.ts'
import type { Imports } from '../imports/imports.service.ts'
import type { StoreModel } from './store-model.ts'
import { abortReceived } from './receive-bytes.ts'
import type { ReceivedForm } from './receive-form.ts'

const ENDPOINT = 'stl-files/upload'

/** The source of a file that becomes at most one model, even if many requests use it. */
interface OneTimeSource {
  /**
   * Identifies repeated requests. It contains the parts of a request that stay the same when the request is
   * repeated. Without a one-time source, these are the fields and the file.
   */
  fingerprint: string
  /** Runs in the transaction that stores the model. If it throws, nothing is stored. */
  claim(tx: Queryable): Promise<void>
}

export interface Uploads {
  /**
   * Stores a received file as a new model (201), or starts an import if the upload takes longer (202). Throws
   * the errors of the form, MODEL_URL_REFUSED, TOO_MANY_IMPORTS or IDEMPOTENCY_KEY_REUSED.
   */
  add(
    form: ReceivedForm,
    by: IdempotentCaller,
    source?: OneTimeSource,
  ): Promise<HttpResult<Model | ModelImport>>
}

/** Turns uploads into models. */
export function createUploads(deps: { clock: Clock; keep: StoreModel; imports: Imports }): Uploads {
  const { clock, keep, imports } = deps

  const addByAddress = async ({ fields, file }: ReceivedForm, by: IdempotentCaller) => {
    if (file) await abortReceived(file)
    if (fields.url === null) throw new AppError('MODEL_URL_MISSING')
    return imports.beginFetch({ fields, url: fields.url }, by, fingerprintOf(ENDPOINT, fields))
  }

  return {
    async add(form, by, source) {
      const { fields, file } = form
      if (fields.upload_method === 'url') return addByAddress(form, by)
      if (!file) throw new AppError('MODEL_FILE_MISSING')
      if (file.kind === 'archive')
        return imports.beginChoice({ fields, archive: file }, by, {
          fingerprintOf: (sha256) =>
            source?.fingerprint ?? fingerprintOf(ENDPOINT, fields, file.fileName, sha256),
          claim: source?.claim,
        })
      const { accountId, audit, idempotencyKey: key } = by
      return keep(file, (tx, put, { sha256 }) => {
        const fingerprint = source?.fingerprint ?? fingerprintOf(ENDPOINT, fields, file.fileName, sha256)
        return withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          await source?.claim(tx)
          return { status: 201, body: await put({ fields, accountId, audit }) }
        })
      })
    },
  }
}
