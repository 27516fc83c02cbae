import type { Model } from '@pegasus/contracts/stl-library/models'
import type { UploadModelFields } from '@pegasus/contracts/stl-library/upload'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage, PendingObject, StoredObject } from '../../../platform/storage/object-storage.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { presentModel } from '../models/models.present.ts'
import { findModel } from '../models/models.queries.ts'
import { titleFromFileName } from './file-name.ts'
import { tagsFromFileName } from './tags-from-name.ts'
import {
  copyAnalysis,
  countWaiting,
  findModelByBytes,
  insertModel,
  insertVersion,
  lockBytes,
} from './upload.queries.ts'
import { abortReceived, type ReceivedFile } from './receive-bytes.ts'
import { objectKeyOf, removeUnlessUsed } from './stored-bytes.ts'

/** Form fields of a new model. */
export type ModelFields = Omit<UploadModelFields, 'upload_method' | 'url'>

/** The data of a model besides its file. */
export interface ModelToKeep {
  /** The id that was promised to the client. If it is absent, a new id is created. */
  id?: string
  fields: ModelFields
  accountId: string
  audit: AuditContext
  /** The address from which the file was fetched, and the time. */
  source?: { url: string; fetchedAt: Date }
}

/** Moves the bytes into place and writes the model, within the transaction. */
export type PutModel = (model: ModelToKeep) => Promise<Model>

/** A new version for a model that the caller has locked. */
export interface VersionToKeep {
  modelId: string
  number: number
  note: string | null
  accountId: string
  now: Date
}

/** Moves the bytes into place and writes the version, within the transaction. Returns the version's id. */
export type PutVersion = (version: VersionToKeep) => Promise<string>

/** Turns received files into models or versions. No other code in the server does this. */
export interface StoreModel {
  /**
   * Runs `work` in a transaction and returns its result. `work` may store the file as a model or a version. If it does
   * not, or if the transaction fails, no bytes remain. The transaction may run more than once.
   */
  <T>(
    file: ReceivedFile,
    work: (tx: Queryable, put: PutModel, stored: StoredObject, putVersion: PutVersion) => Promise<T>,
  ): Promise<T>
}

interface VersionToEnqueue {
  versionId: string
  triangles: number
  /**
   * Number of models of the same person that still wait for their analysis. A person with fewer is served
   * first.
   */
  waitingBefore: number
}

export interface StoreModelDeps {
  database: Database
  storage: ObjectStorage
  signer: PathSigner
  /** Writes the analysis task within the transaction that adds the model. */
  enqueueAnalysis(tx: Queryable, version: VersionToEnqueue): Promise<void>
  wakeAnalysis(triangles: number): void
  /** Suggests values for the empty fields of a model whose analysis is already done. */
  suggest(tx: Queryable, modelId: string): Promise<void>
}

/** Bytes that are stored durably but are not in place yet. */
interface Sealed extends StoredObject {
  key: string
  pending: PendingObject
}

async function seal(pending: PendingObject): Promise<Sealed> {
  const stored = await pending.seal(objectKeyOf)
  return { ...stored, key: objectKeyOf(stored.sha256), pending }
}

/** Returns the file data that is stored with the version. */
const describeFile = (file: ReceivedFile, stored: Sealed, clean: Sealed | null) => ({
  sizeBytes: stored.sizeBytes,
  sha256: stored.sha256,
  objectKey: stored.key,
  clean: clean && { objectKey: clean.key, sizeBytes: clean.sizeBytes, sha256: clean.sha256 },
  fileName: file.fileName,
  format: file.format,
  encoding: file.encoding,
  triangles: file.triangles,
  warnings: file.warnings,
  metadata: file.metadata,
})

/**
 * Returns suggestions from the file's name for empty fields, and the names of the fields for which
 * suggestions follow later.
 */
function proposalsOf({ title, description, tags, use_ai }: ModelFields, fileName: string) {
  if (!use_ai) return { tags, suggestedFields: [], fieldsToSuggest: [] }
  const empty = { title: title === null, tags: tags.length === 0, description: description === null }
  const fieldsToSuggest = (['title', 'tags', 'description'] as const).filter((field) => empty[field])
  const named = empty.tags ? tagsFromFileName(fileName) : []
  const suggestedFields = [...(empty.title ? ['title'] : []), ...(named.length > 0 ? ['tags'] : [])]
  return { tags: empty.tags ? named : tags, suggestedFields, fieldsToSuggest }
}

export function createStoreModel(deps: StoreModelDeps): StoreModel {
  const { database, signer } = deps

  /** Copies the results of an earlier analysis of the same bytes. If there are none, enqueues an analysis. */
  const analyze = async (
    tx: Queryable,
    version: VersionToEnqueue,
    sha256: string,
  ): Promise<{ isKnown: boolean }> => {
    const isKnown = await copyAnalysis(tx, version.versionId, sha256)
    if (!isKnown) await deps.enqueueAnalysis(tx, version)
    return { isKnown }
  }

  const insert = async (
    tx: Queryable,
    file: ReceivedFile,
    stored: Sealed,
    clean: Sealed | null,
    model: ModelToKeep,
  ) => {
    const { fields, accountId, audit, source } = model
    const [id, versionId] = [model.id ?? uuidv7(), uuidv7()]
    const title = fields.title ?? titleFromFileName(file.fileName)
    const waitingBefore = await countWaiting(tx, accountId)
    await insertModel(tx, {
      id,
      versionId,
      ...describeFile(file, stored, clean),
      title,
      description: fields.description,
      ...proposalsOf(fields, file.fileName),
      licenseType: fields.license_type,
      attributionUrl: fields.attribution_url,
      printMaterial: fields.print_material,
      printNotes: fields.print_notes,
      sourceUrl: source?.url ?? null,
      fetchedAt: source?.fetchedAt ?? null,
      duplicateOf: await findModelByBytes(tx, stored.sha256),
      uploadedBy: accountId,
      now: audit.now,
    })
    const { isKnown } = await analyze(
      tx,
      { versionId, triangles: file.triangles, waitingBefore },
      stored.sha256,
    )
    if (isKnown) await deps.suggest(tx, id)
    const { license_type, attribution_url } = fields
    const { fileName: file_name, format } = file
    const after = { title, license_type, attribution_url, file_name, format, source_url: source?.url ?? null }
    const added = { action: 'model.added', entity: 'stl_file', entityId: id, entityName: title } as const
    await writeAudit(tx, { ...added, after: { ...after, sha256: stored.sha256 } }, audit)
    await publish(tx, { type: 'created', entity: 'stl_file', id })
    const row = await findModel(tx, id)
    if (!row) throw new Error('A model that was just written is not there.')
    return presentModel(row, signer)
  }

  const insertNext = async (
    tx: Queryable,
    file: ReceivedFile,
    stored: Sealed,
    clean: Sealed | null,
    version: VersionToKeep,
  ): Promise<string> => {
    const { accountId, now, ...rest } = version
    const versionId = uuidv7()
    const waitingBefore = await countWaiting(tx, accountId)
    const described = describeFile(file, stored, clean)
    await insertVersion(tx, { versionId, ...described, ...rest, uploadedBy: accountId, now })
    await analyze(tx, { versionId, triangles: file.triangles, waitingBefore }, stored.sha256)
    return versionId
  }

  return async (file, work) => {
    const unclaimed = new Set<string>()
    try {
      // Seal before the transaction, so that no locks are held while the storage works.
      const sealedFile = await seal(file.pending)
      const clean = file.clean && (await seal(file.clean))
      const objects = [sealedFile, ...(clean ? [clean] : [])].toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const place = async (tx: Queryable): Promise<void> => {
        for (const { sha256 } of objects) await lockBytes(tx, sha256)
        for (const { key, pending } of objects) {
          // An earlier attempt of this transaction has put the bytes in place. Since then, another
          // transaction may have held the lock, found no row and removed the bytes. So check that they exist:
          // a row must never refer to missing bytes.
          if (unclaimed.has(key)) {
            if ((await deps.storage.stat(key)) === null) throw new Error(`${key} is gone.`)
            continue
          }
          unclaimed.add(key)
          await pending.commit(key)
        }
      }
      const answer = await database.transaction((tx) => {
        const put: PutModel = async (model) => {
          await place(tx)
          return insert(tx, file, sealedFile, clean, model)
        }
        const putVersion: PutVersion = async (version) => {
          await place(tx)
          return insertNext(tx, file, sealedFile, clean, version)
        }
        return work(tx, put, sealedFile, putVersion)
      })
      unclaimed.clear()
      deps.wakeAnalysis(file.triangles)
      return answer
    } finally {
      await abortReceived(file)
      // The first error is reported; the hourly cleanup finds leftovers.
      for (const key of unclaimed) await removeUnlessUsed(deps, key).catch(() => false)
    }
  }
}
