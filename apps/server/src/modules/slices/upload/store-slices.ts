import type { UploadedSlice } from '@pegasus/contracts/slices/slices'
import type { SlicedPlate } from '@pegasus/mesh/gcode/sliced-file'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { actorColumns, type AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  fingerprintOf,
  type HttpResult,
  type IdempotentCaller,
  withIdempotency,
} from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage, StoredObject } from '../../../platform/storage/object-storage.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { presentSlice } from '../files/slices.present.ts'
import {
  findSlices,
  findVersion,
  holdModel,
  insertSlice,
  joinPlatesOfFile,
  lockSlice,
  readPiecesPerPrint,
} from '../files/slices.queries.ts'
import { encodeSlicePicture } from './encode-slice-picture.ts'
import { abortSlices, type ReceivedSlice, type SliceForm } from './receive-slices.ts'
import { removeSliceObject, sliceKeyOf, slicePictureKeyOf } from './slice-objects.ts'
import { lockSliceBytes } from './slice-objects.queries.ts'

const MAX_PIECES = 10_000

/** A received file whose bytes are safely written, with its encoded pictures by plate. */
interface SealedSlice extends StoredObject {
  file: ReceivedSlice
  key: string
  pictures: ReadonlyMap<number, Buffer>
}

/** The model and the version for which received files are stored. */
export interface SlicesToStore {
  modelId: string
  /** Null means the current version. */
  versionNumber: number | null
  /** Pieces per plate. If null, each file's own number is used, or the items' pieces per print if it states none. */
  pieces: number | null
  /** Whether one piece needs all plates of a file. Null if nobody has decided it. */
  needsAllPlates: boolean | null
}

export interface StoreSlicesDeps {
  database: Database
  storage: ObjectStorage
  clock: Clock
  signer: PathSigner
}

export interface StoreSlices {
  /**
   * Stores the files of a form (201), or returns the existing slices if the version already has all of them
   * (200). No bytes remain after an error. Throws MODEL_NOT_FOUND, VERSION_NOT_FOUND or
   * IDEMPOTENCY_KEY_REUSED.
   */
  fromForm(modelId: string, form: SliceForm, by: IdempotentCaller): Promise<HttpResult<UploadedSlice>>
  /**
   * Stores files. In the same transaction, runs `after` with the ids of the slices, in the order of their
   * plates.
   */
  fromTask(
    files: readonly ReceivedSlice[],
    target: SlicesToStore & { versionId: string },
    audit: AuditContext,
    after: (tx: Queryable, ids: string[]) => Promise<void>,
  ): Promise<void>
}

/** Creates the functions that store received files as sliced files. All sliced files are stored through them. */
export function createStoreSlices(deps: StoreSlicesDeps): StoreSlices {
  const { database, storage, clock, signer } = deps

  const seal = async (file: ReceivedSlice): Promise<SealedSlice> => {
    const stored = await file.pending.seal(sliceKeyOf)
    const pictures = new Map<number, Buffer>()
    for (const { plate, pictures: embedded } of file.content.plates) {
      const picture = await encodeSlicePicture(embedded)
      if (picture) pictures.set(plate, picture)
    }
    return { ...stored, file, key: sliceKeyOf(stored.sha256), pictures }
  }

  /**
   * Commits the bytes and pictures. Their bytes are locked, so that no cleanup removes them before their rows are
   * written.
   */
  const place = async (tx: Queryable, sealed: readonly SealedSlice[], unclaimed: Set<string>) => {
    for (const { sha256 } of sealed.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
      await lockSliceBytes(tx, sha256)
    for (const { file, key, sha256, pictures } of sealed) {
      for (const [plate, picture] of pictures) {
        const pictureKey = slicePictureKeyOf(sha256, plate)
        await storage.put(pictureKey, Readable.from([picture]))
        unclaimed.add(pictureKey)
      }
      // The bytes are already committed if an earlier attempt of the transaction did it, or if the form contains the
      // same file twice.
      if (unclaimed.has(key)) {
        if ((await storage.stat(key)) === null) throw new Error(`${key} is gone.`)
        continue
      }
      unclaimed.add(key)
      await file.pending.commit(key)
    }
  }

  const insertAll = async (
    tx: Queryable,
    sealed: readonly SealedSlice[],
    {
      modelId,
      versionId,
      pieces,
      needsAllPlates,
    }: Omit<SlicesToStore, 'versionNumber'> & { versionId: string },
    audit: AuditContext,
  ): Promise<{ ids: string[]; isNew: boolean }> => {
    const ids: string[] = []
    let isNew = false
    const usual = await readPiecesPerPrint(tx, modelId)
    for (const { file, key, sha256, sizeBytes, pictures } of sealed) {
      const added: string[] = []
      const decision = file.content.plates.length > 1 ? needsAllPlates : null
      for (const plate of file.content.plates) {
        const picture = pictures.has(plate.plate) ? slicePictureKeyOf(sha256, plate.plate) : null
        const stored = { objectKey: key, fileSize: sizeBytes, sha256, pictureKey: picture }
        const named = { fileName: file.fileName, format: file.content.format }
        const row = {
          ...columnsOf(plate, pieces ?? plate.pieces ?? usual),
          ...stored,
          ...named,
          modelId,
          versionId,
          piecesOfAllPlates: Math.min(MAX_PIECES, pieces ?? 1),
        }
        const { id, isNew: isAdded } = await insertSlice(tx, {
          ...row,
          id: uuidv7(),
          ...actorColumns(audit.actor),
          now: audit.now,
        })
        ids.push(id)
        if (!isAdded) continue
        isNew = true
        added.push(id)
        const after = {
          file_name: file.fileName,
          plate: plate.plate,
          printer_model: row.printerModel,
          pieces: decision ? row.piecesOfAllPlates : row.pieces,
          ...(decision !== null && { needs_all_plates: decision }),
        }
        const event = {
          action: 'slice.added',
          entity: 'slice',
          entityId: id,
          entityName: file.fileName,
        } as const
        await writeAudit(tx, { ...event, after: { ...after, sha256, stl_file_id: modelId } }, audit)
        await publish(tx, { type: 'created', entity: 'slice', id })
      }
      const [first] = added
      if (first === undefined || file.content.plates.length === 1) continue
      // The version may already have other plates of this file. The lock waits for a running decision about them. One
      // statement decides for all plates, so that their sums are updated only once.
      await lockSlice(tx, first)
      await joinPlatesOfFile(tx, added, decision)
    }
    return { ids, isNew }
  }

  /**
   * Runs `work` with the sealed files in a transaction. A transaction that fails may be repeated. No bytes remain after
   * an error.
   */
  const inTransaction = async <T>(
    files: readonly ReceivedSlice[],
    work: (tx: Queryable, sealed: SealedSlice[], put: () => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    const unclaimed = new Set<string>()
    try {
      const sealed: SealedSlice[] = []
      for (const file of files) sealed.push(await seal(file))
      const answer = await database.transaction((tx) => work(tx, sealed, () => place(tx, sealed, unclaimed)))
      unclaimed.clear()
      return answer
    } finally {
      await abortSlices(files)
      // The error of the transaction is reported. If this removal also fails, the hourly cleanup removes the bytes.
      for (const key of unclaimed) await removeSliceObject(deps, key).catch(() => false)
    }
  }

  return {
    fromForm: (modelId, { fields, files }, { accountId, audit, idempotencyKey: key }) =>
      inTransaction(files, (tx, sealed, put) => {
        const names = sealed.map(({ file, sha256 }) => [file.fileName, sha256])
        const fingerprint = fingerprintOf('slices', modelId, fields, names)
        return withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          if (!(await holdModel(tx, modelId))) throw new AppError('MODEL_NOT_FOUND')
          const version = await findVersion(tx, modelId, fields.stl_version ?? null)
          if (!version) throw new AppError('VERSION_NOT_FOUND')
          await put()
          const { pieces = null, needs_all_plates: needsAllPlates = null } = fields
          const target = { modelId, versionId: version.id, pieces, needsAllPlates }
          const { ids, isNew } = await insertAll(tx, sealed, target, audit)
          const slices = (await findSlices(tx, [...new Set(ids)])).map((row) => presentSlice(row, signer))
          const [first] = slices
          if (!first) throw new Error('Slices that were just written are not there.')
          return { status: isNew ? 201 : 200, body: { ...first, slices } }
        })
      }),

    fromTask: (files, target, audit, after) =>
      inTransaction(files, async (tx, sealed, put) => {
        if (!(await holdModel(tx, target.modelId))) throw new AppError('MODEL_NOT_FOUND')
        await put()
        const { ids } = await insertAll(tx, sealed, target, audit)
        await after(tx, ids)
      }),
  }
}

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Number(value.toFixed(digits))

/** Returns the columns for a plate with this number of pieces: weight, time and tools, rounded as in the database. */
function columnsOf(plate: SlicedPlate, pieces: number) {
  const tools = plate.tools.map(({ tool, material, colorHex, grams, metres }) => ({
    tool,
    material,
    color_hex: colorHex,
    grams: rounded(grams, 2),
    metres: rounded(metres, 3),
  }))
  return {
    plate: plate.plate,
    printerModel: plate.printerModel,
    nozzleMm: rounded(plate.nozzleMm, 2),
    bedMm: plate.bedMm,
    layerHeightMm: rounded(plate.layerHeightMm, 3),
    layers: plate.layers,
    material: tools[0]?.material ?? null,
    tools,
    grams: rounded(plate.grams, 2),
    metres: rounded(plate.metres, 3),
    minutes: plate.minutes,
    pieces: Math.min(MAX_PIECES, pieces),
    slicer: plate.slicer,
    notes: plate.notes,
  }
}
