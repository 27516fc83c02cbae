import { MAX_JOB_QUANTITY } from '@pegasus/contracts/print-queue/jobs'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * An item needs this many counted pieces before rejects are expected. With fewer pieces, their share would be a guess.
 */
const LEAST_COUNTED = 10

/** The number of pieces that one plate of an item has. */
export interface PlateSize {
  /** Number of pieces on one plate. If it is null, all pieces are on one plate. */
  pieces: number | null
  /** Number of rejected pieces for each good piece so far. 0 until enough pieces have been counted. */
  rejectsPerGood: number
}

interface PlateSizeRow {
  item_id: string
  slice_pieces: number | null
  pieces_per_print: number
  last_pieces: number | null
  rejects_per_good: number | null
}

/**
 * Returns the pieces per plate as a map by item id. The number comes from the newest sliced file of the
 * model's current version, otherwise from the item, otherwise from the item's last divided job. Unknown items
 * are left out.
 */
export async function readPlateSizes(
  sql: Queryable,
  itemIds: readonly string[],
): Promise<Map<string, PlateSize>> {
  const rows = await sql<PlateSizeRow[]>`
    select i.id as item_id, s.pieces as slice_pieces, i.pieces_per_print, l.pieces_per_plate as last_pieces,
           (select y.bad::float8 / y.good from item_yields y
            where y.item_id = i.id and y.good > 0 and y.good + y.bad >= ${sql.literal(LEAST_COUNTED)}) as rejects_per_good
    from printed_items i
    left join library_models m on m.id = i.stl_file_id and m.deleted_at is null
    left join lateral (
      select f.pieces from printable_slices f
      where f.stl_version_id = m.current_version_id and f.deleted_at is null
      order by f.created_at desc, f.plate, f.id limit 1
    ) s on true
    left join lateral (
      select j.pieces_per_plate from print_jobs j
      where j.item_id = i.id and j.pieces_per_plate is not null and j.plates_done > 0 and j.deleted_at is null
        -- A plan without a known size puts all pieces on one plate. That is not the size of the item's plates.
        and not (j.expected_rejects > 0 and j.pieces_per_plate = j.quantity + j.expected_rejects)
      order by j.created_at desc limit 1
    ) l on true
    where i.id = any(${[...itemIds]}::uuid[])`
  return new Map(rows.map((row) => [row.item_id, sizeOf(row)]))
}

function sizeOf(row: PlateSizeRow): PlateSize {
  const own = row.pieces_per_print > 1 ? row.pieces_per_print : row.last_pieces
  return { pieces: row.slice_pieces ?? own, rejectsPerGood: row.rejects_per_good ?? 0 }
}

/** The plates for the missing pieces. */
export interface PlatePlan {
  pieces_per_plate: number | null
  plates: number
  /** Number of pieces that are printed in addition, because about this many pieces will be rejected. */
  expected_rejects: number
  /** Number of pieces that the plates yield beyond the missing pieces and the expected rejects. */
  surplus: number
}

/** Plans enough plates for the missing pieces and the expected rejects. */
export function planPlates(missing: number, size: PlateSize | undefined): PlatePlan {
  const known = size?.pieces ?? null
  // The tolerance prevents a rounding error from adding a whole piece.
  const rejects = Math.min(
    Math.max(0, MAX_JOB_QUANTITY - missing),
    Math.ceil(missing * (size?.rejectsPerGood ?? 0) - 1e-9),
  )
  if (missing === 0) return { pieces_per_plate: known, plates: 0, expected_rejects: 0, surplus: 0 }
  // If no plate size is known, the missing and the spare pieces are printed on one plate.
  const pieces = known ?? (rejects > 0 ? missing + rejects : null)
  if (pieces === null) return { pieces_per_plate: null, plates: 1, expected_rejects: 0, surplus: 0 }
  const plates = Math.ceil((missing + rejects) / pieces)
  const surplus = plates * pieces - missing - rejects
  return { pieces_per_plate: pieces, plates, expected_rejects: rejects, surplus }
}

/** A term of the calculation, such as `3 on the shelf`. */
interface Term {
  pieces: number
  what: string
}

const formatPieces = (pieces: number): string => pieces.toLocaleString('en-US')

/**
 * Writes the calculation as a sentence: `10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock`. Terms in `less`
 * are subtracted, and left out if they are zero. `extra` is the number of pieces that are queued beyond the needed
 * ones. Expected rejects follow the missing pieces: `= 7 + 2 expected rejects → 3 plates of 4`. `now` is the number of
 * planned pieces, if they are too many for one print job.
 */
export function writeSentence(
  { wanted, less, extra, now }: { wanted: Term; less: readonly Term[]; extra: number; now?: number },
  missing: number,
  { pieces_per_plate: pieces, plates, expected_rejects: rejects, surplus }: PlatePlan,
): string {
  const terms = less
    .filter((term) => term.pieces > 0)
    .map((term) => ` − ${formatPieces(term.pieces)} ${term.what}`)
  const sum = `${formatPieces(wanted.pieces)} ${wanted.what}${terms.join('')} = ${formatPieces(missing)}`
  if (plates === 0) return extra > 0 ? `${sum}, and ${formatPieces(extra)} more than needed are queued` : sum
  const prints =
    pieces === null
      ? '1 plate'
      : `${formatPieces(plates)} ${plates === 1 ? 'plate' : 'plates'} of ${formatPieces(pieces)}`
  const spare =
    rejects > 0 ? ` + ${formatPieces(rejects)} expected ${rejects === 1 ? 'reject' : 'rejects'}` : ''
  const most = now === undefined ? [] : [`${formatPieces(now)} now, the most that a print job can have`]
  return [sum + spare, ...most, prints, ...(surplus > 0 ? [`${formatPieces(surplus)} to stock`] : [])].join(
    ' → ',
  )
}
