import {
  importInventory,
  MAX_CSV_BYTES,
  MAX_CSV_ROWS,
  CSV_COLUMNS,
  type TableImport,
} from '@pegasus/contracts/inventory/csv'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DropArea } from '@/components/drop-area.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Spinner } from '@/components/ui/feedback/spinner.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatCount } from '@/lib/format/format.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { newIdempotencyKey, uploadWithProgress } from '@/lib/http/uploads/upload.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { ImportChanges, ImportErrors } from './csv-import-report.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Imports a CSV file after a preview. Either all rows are imported or no row is. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { file, choose, report, failure, isChecking, isImporting, run } = useImport(onClose)
  const changes = report ? report.created + report.updated : 0
  const isReady = report !== null && report.error_count === 0 && changes > 0
  return (
    <FormDialog
      state={{
        failure,
        isPending: isImporting,
        hasChanges: false,
        submit: async () => {
          if (isReady) await run()
        },
      }}
      submitLabel={
        isReady ? t('Import {changes, plural, one {# item} other {# items}}', { changes }) : t('Import')
      }
      submitButton={{ icon: <FileUp size={16} strokeWidth={1.75} aria-hidden />, disabled: !isReady }}
      onClose={onClose}
      title={t('Import CSV')}
      description={t(
        'Adds new items and updates items whose SKU exists. You see all changes before they are saved.',
      )}
      size="lg"
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t('CSV file')}
          isRequired
          hint={t(
            'UTF-8, at most {MAX_CSV_ROWS} rows. The first line names the columns, in any order. An exported file has this format.',
            { MAX_CSV_ROWS: formatCount(MAX_CSV_ROWS) },
          )}
        >
          <DropArea
            isSingle
            accept=".csv,.tsv,.txt,text/csv"
            chosen={file?.name ?? null}
            isDisabled={isImporting}
            onFiles={([table]) => choose(table ?? null)}
          />
        </Field>
        {isChecking ? (
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner /> {t('Reading the table…')}
          </p>
        ) : null}
        {report ? <Report report={report} /> : null}
        {file ? null : <ColumnsHelp />}
      </div>
    </FormDialog>
  )
}

function Report({ report }: { report: TableImport }) {
  const { created, updated, unchanged, rows, error_count: wrong, unknown_columns: unknown } = report
  const newPlaces = report.new_places
  return (
    <>
      <p role="status" className="text-ink-2">
        {rich(
          '{rows}: {created} new, {updated} changed, {unchanged} unchanged{wrong, plural, =0 {} one {, # field to correct} other {, # fields to correct}}.',
          {
            rows: (
              <strong className="font-semibold text-ink">
                {t('{rows, plural, one {# row} other {# rows}}', { rows })}
              </strong>
            ),
            created: formatCount(created),
            updated: formatCount(updated),
            unchanged: formatCount(unchanged),
            wrong,
          },
        )}
      </p>
      {unknown.length > 0 ? (
        <AlertBox tone="warning" title={t('Unknown columns are ignored.')}>
          <bdi>{unknown.join(', ')}</bdi>
        </AlertBox>
      ) : null}
      {newPlaces.length > 0 ? (
        <AlertBox tone="note" title={t('New places will be created.')}>
          <bdi>{newPlaces.join(', ')}</bdi>
        </AlertBox>
      ) : null}
      {wrong > 0 ? <ImportErrors report={report} /> : <ImportChanges report={report} />}
    </>
  )
}

const EXAMPLE = 'name,sku,quantity,reorder_point,location,bin_location,selling_price\n'

const ColumnsHelp = () => (
  <div className="rounded-control bg-sunken px-3 py-2.5 text-label text-ink-2">
    <p>
      {rich(
        'Columns: {CSV_COLUMNS}. Fields without a column stay unchanged; a row without a SKU is a new item.',
        { CSV_COLUMNS: <span className="code">{CSV_COLUMNS.join(', ')}</span> },
      )}
    </p>
    <Button
      size="sm"
      className="mt-2"
      onClick={() => saveFile(new Blob([EXAMPLE], { type: 'text/csv' }), 'inventory.csv')}
    >
      {t('Save an empty template')}
    </Button>
  </div>
)

function useImport(onClose: () => void) {
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<TableImport | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState<'checking' | 'importing' | null>(null)
  const upload = useRef<AbortController | null>(null)
  const [key, setKey] = useState('')
  const refresh = useItemRefresh()
  useEffect(() => () => upload.current?.abort(), [])

  const send = (table: File, isDryRun: boolean, idempotencyKey: string) => {
    upload.current?.abort()
    upload.current = new AbortController()
    return uploadWithProgress(importInventory, {
      fields: { dry_run: String(isDryRun) },
      file: table,
      idempotencyKey,
      signal: upload.current.signal,
      onProgress: () => {},
    })
  }
  const showFailure = (error: unknown) =>
    setFailure(errorMessage(error, t('The table could not be read. Please try again.')))

  const choose = async (table: File | null) => {
    setFile(table)
    setReport(null)
    setFailure(null)
    if (!table) return
    if (table.size > MAX_CSV_BYTES) return setFailure(t('This file is too large: 10 MB at most.'))
    setBusy('checking')
    // All real imports of this file share one key, so that a retry does not import rows twice. A check has a
    // key of its own.
    setKey(newIdempotencyKey())
    try {
      setReport(await send(table, true, newIdempotencyKey()))
    } catch (error) {
      if (upload.current?.signal.aborted) return
      showFailure(error)
    }
    setBusy(null)
  }
  const run = async () => {
    if (!file) return
    setFailure(null)
    setBusy('importing')
    try {
      const { created, updated } = await send(file, false, key)
      toast({
        title: t('Imported: {created} new, {updated} changed', {
          created: formatCount(created),
          updated: formatCount(updated),
        }),
      })
      refresh()
      onClose()
    } catch (error) {
      showFailure(error)
      setBusy(null)
    }
  }
  return {
    file,
    choose: (table: File | null) => void choose(table),
    report,
    failure,
    isChecking: busy === 'checking',
    isImporting: busy === 'importing',
    run,
  }
}
