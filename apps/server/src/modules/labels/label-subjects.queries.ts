import type { LabelledKind } from '@pegasus/contracts/labels/labels'
import type { ScanKind } from '@pegasus/contracts/labels/scan-codes'
import type { Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import type { PageRequest } from '../../platform/http/paging.ts'

/** An object with a label code, and the texts of its label. Money is in minor units, such as cents. */
export type LabelSubjectRow = Row<
  'labelled_things',
  'kind' | 'id' | 'code' | 'name' | 'sku' | 'location' | 'price_minor'
>

const selectLabelSubject = (sql: Queryable) =>
  sql`select kind, id, code, name, sku, location, price_minor from labelled_things`

/** Finds the requested objects, in no particular order. Leaves out those that do not exist. */
export const findLabelSubjects = (
  sql: Queryable,
  things: readonly { kind: ScanKind; id: string }[],
): Promise<LabelSubjectRow[]> =>
  sql<LabelSubjectRow[]>`
    ${selectLabelSubject(sql)}
    where deleted_at is null and id = any (${things.map(({ id }) => id)}::uuid[])
      and (kind, id) in (
        select wanted.kind, wanted.id
        from unnest(${things.map(({ kind }) => kind)}::text[], ${things.map(({ id }) => id)}::uuid[]) as wanted (kind, id))`

/** Finds the object with this code, which must be in capitals. */
export const findSubjectByCode = (sql: Queryable, code: string) =>
  firstRow(sql<LabelSubjectRow[]>`
    ${selectLabelSubject(sql)} where code = ${code} and deleted_at is null order by created_at limit 1`)

export interface QueuedRow
  extends Omit<LabelSubjectRow, 'kind' | 'price_minor'>,
    Row<'labelled_things', 'printed_at' | 'created_at'> {
  kind: LabelledKind
}

/**
 * Returns the SQL condition for due labels: they were never printed, or their texts have changed since they were
 * printed.
 */
const isDue = (sql: Queryable, kind: LabelledKind | undefined) => sql`
  deleted_at is null and kind in ('item', 'location', 'spool', 'printer') ${kind ? sql`and kind = ${kind}` : sql``}
  and (printed_at is null or not facts @> coalesce(printed_facts, '{}'))`

export const listDueLabels = (
  sql: Queryable,
  kind: LabelledKind | undefined,
  page: PageRequest,
): Promise<QueuedRow[]> =>
  sql<QueuedRow[]>`
    select kind, id, code, name, sku, location, printed_at, created_at from labelled_things
    where ${isDue(sql, kind)}
      ${newestFirst(sql, page, sql`created_at`, sql`id`)}`

/** Counts the due labels up to COUNT_CAP. Returns COUNT_CAP + 1 if there are more. */
export const countDueLabels = (sql: Queryable, kind: LabelledKind | undefined): Promise<number> =>
  countUpToCap(sql, sql`select 1 from labelled_things where ${isDue(sql, kind)}`)

/** Returns the current texts of these fields, in the form in which an object stores its printed texts. */
export const readPrintedValues = (
  sql: Queryable,
  things: readonly { kind: LabelledKind; id: string }[],
  fields: readonly string[],
): Promise<{ kind: LabelledKind; id: string; facts: Record<string, unknown> }[]> =>
  sql<{ kind: LabelledKind; id: string; facts: Record<string, unknown> }[]>`
    select t.kind, t.id, coalesce((
      select jsonb_object_agg(key, value) from jsonb_each(t.facts) where key = any (${[...fields]}::text[])
    ), '{}') as facts
    from labelled_things t
    join unnest(${things.map(({ kind }) => kind)}::text[], ${things.map(({ id }) => id)}::uuid[]) as wanted (kind, id)
      on wanted.kind = t.kind and wanted.id = t.id
    where t.deleted_at is null`
