import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import {
  type HttpResult,
  fingerprintOf,
  withIdempotency,
  type IdempotentCaller,
} from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import type { StoreModel } from '../upload/store-model.ts'
import { type ReceivedFile, abortReceived } from '../upload/receive-bytes.ts'
import type { ReceivedForm } from '../upload/receive-form.ts'
import { presentModel } from './models.present.ts'
import { type ModelRow, findModel } from './models.queries.ts'
import { lockModels } from './model-changes.queries.ts'
import {
  type VersionBytes,
  chooseVersion,
  findVersion,
  listVersions,
  nextNumber,
} from './model-versions.queries.ts'

/**
 * The current and previous versions of models. A queued job keeps the version that was current when it was
 * created.
 */
export interface Versions {
  /** Returns the versions, newest first. Throws MODEL_NOT_FOUND. */
  list(modelId: string): Promise<ModelVersion[]>
  /** Returns the file of a version. Throws VERSION_NOT_FOUND. */
  get(id: string): Promise<VersionBytes>
  /**
   * Stores a received file as the newest version of a model and makes it current. Throws MODEL_FILE_MISSING,
   * MODEL_REJECTED for an archive, MODEL_NOT_FOUND, VERSION_UNCHANGED or IDEMPOTENCY_KEY_REUSED.
   */
  add(modelId: string, form: VersionForm, by: IdempotentCaller): Promise<HttpResult<Model>>
  /** Makes a version the current one. A repeated call changes nothing. Throws VERSION_NOT_FOUND. */
  choose(id: string, by: AuditContext): Promise<ModelRow>
}

type VersionForm = ReceivedForm<{ note: string | null }>

/**
 * Returns the file of a form. Throws MODEL_FILE_MISSING if there is none, and MODEL_REJECTED if it is an
 * archive.
 */
async function fileOf({ file }: VersionForm): Promise<ReceivedFile> {
  if (!file) throw new AppError('MODEL_FILE_MISSING')
  if (file.kind === 'model') return file
  await abortReceived(file)
  throw new AppError('MODEL_REJECTED', {
    text: 'A version is a single model. Please choose the file itself, not an archive.',
  })
}

interface VersionsDeps {
  database: Database
  clock: Clock
  keep: StoreModel
  signer: PathSigner
  /**
   * Requests suggestions for the locked models that still need them and whose file is already measured.
   */
  suggestOpen(tx: Queryable, modelIds: readonly string[]): Promise<void>
}

export function createVersions({ database, clock, keep, signer, suggestOpen }: VersionsDeps): Versions {
  const { sql } = database

  /** Makes a version current and writes an audit entry. */
  const stand = async (
    tx: Queryable,
    model: ModelRow,
    version: {
      id: string
      number: number
      action: 'model.version_added' | 'model.version_chosen'
      extra?: object
    },
    by: AuditContext,
  ): Promise<ModelRow> => {
    await chooseVersion(tx, { modelId: model.id, versionId: version.id, now: by.now })
    await suggestOpen(tx, [model.id])
    const change = {
      before: { version: model.version },
      after: { version: version.number, ...version.extra },
    }
    const thing = { entity: 'stl_file', entityId: model.id, entityName: model.title } as const
    await writeAudit(tx, { action: version.action, ...thing, ...change }, by)
    await publish(tx, { type: 'updated', entity: 'stl_file', id: model.id })
    const row = await findModel(tx, model.id)
    if (!row) throw new Error('A model that is locked is not there.')
    return row
  }

  const lockLive = async (tx: Queryable, modelId: string): Promise<ModelRow | null> => {
    const [model] = await lockModels(tx, [modelId])
    return model && model.deleted_at === null ? model : null
  }

  return {
    async list(modelId) {
      if (!(await findModel(sql, modelId))) throw new AppError('MODEL_NOT_FOUND')
      return listVersions(sql, modelId)
    },

    get: async (id) => orThrow(await findVersion(sql, id), 'VERSION_NOT_FOUND'),

    async add(modelId, form, { accountId, audit, idempotencyKey: key }) {
      const file = await fileOf(form)
      const { note } = form.fields
      return keep(file, (tx, _put, { sha256 }, putVersion) => {
        const fingerprint = fingerprintOf('stl-versions', modelId, note, file.fileName, sha256)
        return withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          const model = await lockLive(tx, modelId)
          if (!model) throw new AppError('MODEL_NOT_FOUND')
          if (model.sha256 === sha256) throw new AppError('VERSION_UNCHANGED')
          const number = await nextNumber(tx, modelId)
          const id = await putVersion({ modelId, number, note, accountId, now: audit.now })
          const extra = { file_name: file.fileName, sha256, note }
          const row = await stand(tx, model, { id, number, action: 'model.version_added', extra }, audit)
          return { status: 201, body: presentModel(row, signer) }
        })
      })
    },

    choose: (id, by) =>
      database.transaction(async (tx) => {
        const version = await findVersion(tx, id)
        const model = version && (await lockLive(tx, version.stl_file_id))
        if (!version || !model) throw new AppError('VERSION_NOT_FOUND')
        if (model.version_id === id) return model
        return stand(tx, model, { id, number: version.number, action: 'model.version_chosen' }, by)
      }),
  }
}
