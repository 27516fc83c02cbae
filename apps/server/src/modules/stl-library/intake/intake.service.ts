import type { StlFile } from '@pegasus/contracts/stl-files'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { fingerprintOf, once } from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage, StoredObject } from '../../../platform/storage/object-storage.ts'
import { publish } from '../../events/index.ts'
import { titleFromFileName } from './file-name.ts'
import { presentModel } from '../models/models.present.ts'
import { findModel } from '../models/models.queries.ts'
import { copyAnalysis, countWaiting, findModelByBytes, insertModel, lockBytes } from './intake.queries.ts'
import { objectKeyOf, removeUnlessUsed } from './stored-bytes.ts'
import type { ReceivedFile, ReceivedForm } from './upload-form.ts'

export interface Intake {
  /** Keeps a received file as a new model. Throws what the form lacks, or IDEMPOTENCY_KEY_REUSED. */
  add(
    form: ReceivedForm,
    by: { accountId: string; idempotencyKey: string | null },
  ): Promise<{ status: number; body: StlFile }>
}

function requireFile({ fields, file }: ReceivedForm): ReceivedFile {
  if (fields.upload_method === 'url')
    throw new AppError(fields.url === null ? 'MODEL_URL_MISSING' : 'MODEL_URL_REFUSED')
  if (!file) throw new AppError('MODEL_FILE_MISSING')
  return file
}

interface VersionToEnqueue {
  versionId: string
  triangles: number
  /** Models of the same person that wait already: others' go first. */
  waitingBefore: number
}

/** How files become models. */
export function createIntake(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  signer: PathSigner
  /** Writes the analysis task into the transaction that adds the model. */
  enqueueAnalysis(tx: Queryable, version: VersionToEnqueue): Promise<void>
  wakeAnalysis(triangles: number): void
}): Intake {
  const { database, clock, signer } = deps

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
    const row = await findModel(tx, id)
    if (!row) throw new Error('A model that was just written is not there.')
    return presentModel(row, signer)
  }

  return {
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
