import { TrashView } from '@/components/trash-view.tsx'
import { usePrinterMutations } from '../machine/use-printer-mutations.ts'
import { deletedPrintersQuery } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the printers deleted in the last 30 days and restores them. */
export function PrinterTrash({ backTo }: { backTo: string }) {
  const { restore } = usePrinterMutations()
  return (
    <TrashView
      query={deletedPrintersQuery}
      list={{ to: backTo, name: t('Printers'), one: 'printer' }}
      note={t('with their hours and maintenance')}
      nameOf={({ name }) => name}
      row={({ name, label_code: label, model }) => (
        <div className="min-w-0">
          <p className="truncate font-medium">
            <bdi className="block truncate">{name}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3">
            <span className="code">{label}</span>
            {model ? (
              <>
                {' '}
                · <bdi>{model}</bdi>
              </>
            ) : null}
          </p>
        </div>
      )}
      onRestore={restore.mutate}
    />
  )
}
