import type { StlFile } from '@pegasus/contracts/stl-files'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { fingerprintOf, once } from '../../platform/http/idempotency.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage, StoredObject } from '../../platform/storage/object-storage.ts'
import { publish } from '../events/index.ts'
import { titleFromFileName } from './file-name.ts'
import { presentModel } from './stl-library.present.ts'
import {
  type ModelFilter,
  type ModelRow,
  copyAnalysis,
  countModels,
  countWaiting,
  findModel,
  findModelByBytes,
  insertModel,
  listModels,
  lockBytes,
} from './stl-library.queries.ts'
import { findTerms } from './search-terms.queries.ts'
import { objectKeyOf, removeUnlessUsed } from './stored-bytes.ts'
import type { ReceivedFile, ReceivedForm } from './upload-form.ts'

type ModelSearch = Omit<ModelFilter, 'terms'> & { search?: string | undefined }

export interface StlLibrary {
  list(filter: ModelSearch, page: { cursor: Cursor | null; limit: number }): Promise<Page<ModelRow>>
  /** Throws MODEL_NOT_FOUND. */
  get(id: string): Promise<ModelRow>
  /** Keeps a received file as a new model. Throws what the form lacks, or IDEMPOTENCY_KEY_REUSED. */
  add(
    form: ReceivedForm,
    by: { accountId: string; idempotencyKey: string | null },
  ): Promise<{ status: number; body: StlFile }>
}

function requireFile({ fields, file }: ReceivedForm): ReceivedFile {
  if (fields.upload_method === 'url')
    throw new AppError(fields.url === null ? 'MODEL_URL_MISSING' : 'MODEL_URL_UNSUPPORTED')
  if (!file) throw new AppError('MODEL_FILE_MISSING')
  return file
}

interface VersionToEnqueue {
  versionId: string
  triangles: number
  /** Models of the same person that wait already: others' go first. */
  waitingBefore: number
}

export function createStlLibrary(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  signer: PathSigner
  /** Writes the analysis task into the transaction that adds the model. */
  enqueueAnalysis(tx: Queryable, version: VersionToEnqueue): Promise<void>
  wakeAnalysis(triangles: number): void
}): StlLibrary {
  const { database, clock, signer } = deps

  const getRow = async (sql: Queryable, id: string): Promise<ModelRow> => {
    const row = await findModel(sql, id)
    if (!row) throw new AppError('MODEL_NOT_FOUND')
    return row
  }

  const insert = async (
    tx: Queryable,
    { fields }: ReceivedForm,
    file: ReceivedFile,
    stored: StoredObject,
    accountId: string,
  ): Promise<StlFile> => {
    const [id, versionId] = [uuidv7(), uuidv7()]
    const waitingBefore = await countWaiting(tx, accountId)
    await insertModel(tx, {
      id,
      versionId,
      ...stored,
      objectKey: objectKeyOf(stored.sha256),
      title: fields.title ?? titleFromFileName(file.fileName),
      suggestedFields: fields.title === null && fields.use_ai ? ['title'] : [],
      description: fields.description,
      tags: fields.tags,
      licenseType: fields.license_type,
      attributionUrl: fields.attribution_url,
      printMaterial: fields.print_material,
      printNotes: fields.print_notes,
      duplicateOf: await findModelByBytes(tx, stored.sha256),
      fileName: file.fileName,
      encoding: file.encoding,
      triangles: file.triangles,
      warnings: file.warnings,
      uploadedBy: accountId,
      now: clock.now(),
    })
    const isKnown = await copyAnalysis(tx, versionId, stored.sha256)
    if (!isKnown) await deps.enqueueAnalysis(tx, { versionId, triangles: file.triangles, waitingBefore })
    await publish(tx, { type: 'created', entity: 'stl_file', id })
    return presentModel(await getRow(tx, id), signer)
  }

  return {
    async list({ search, ...rest }, page) {
      const filter = { ...rest, terms: await findTerms(database.sql, search) }
      const [rows, total] = await Promise.all([
        listModels(database.sql, filter, page),
        countModels(database.sql, filter),
      ])
      return toPage(rows, page.limit, total)
    },

    get: (id) => getRow(database.sql, id),

    async add(form, { accountId, idempotencyKey }) {
      let unclaimed: string | null = null
      try {
        const file = requireFile(form)
        // Flushed before the transaction, which would hold its locks while the disk works.
        const stored = await file.pending.seal()
        const key = objectKeyOf(stored.sha256)
        const answer = await database.transaction((tx) =>
          once(
            tx,
            {
              key: idempotencyKey,
              accountId,
              fingerprint: fingerprintOf('stl-files/upload', form.fields, file.fileName, stored.sha256),
              clock,
            },
            async () => {
              await lockBytes(tx, stored.sha256)
              // A transaction that is repeated has put them in place already. The bytes are there before a row
              // speaks of them: a row without bytes can never be seen.
              if (unclaimed === null) {
                unclaimed = key
                await file.pending.commit(key)
              }
              return { status: 201, body: await insert(tx, form, file, stored, accountId) }
            },
          ),
        )
        unclaimed = null
        deps.wakeAnalysis(file.triangles)
        return answer
      } finally {
        await form.file?.pending.abort()
        // Whatever went wrong, the first error is the one to tell; the hourly sweep finds what is left.
        if (unclaimed !== null) await removeUnlessUsed(deps, unclaimed).catch(() => false)
      }
    },
  }
}
