import { TrashView } from '@/components/trash-view.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { deletedSpoolsQuery } from '../filament.queries.ts'
import { useSpoolMutations } from './use-spool-mutations.ts'
import { SpoolRing } from './spool-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the spools deleted in the last 30 days and restores them. */
export function SpoolTrash({ backTo }: { backTo: string }) {
  const { restore } = useSpoolMutations()
  return (
    <TrashView
      query={deletedSpoolsQuery}
      list={{ to: backTo, name: t('Filament'), one: 'spool' }}
      note={t('with their ledger')}
      columns={[
        {
          id: 'left',
          head: t('Left'),
          track: '100px',
          isNumber: true,
          from: 760,
          cell: ({ remaining_grams: grams }) => formatGrams(grams),
        },
      ]}
      nameOf={({ label_code: label }) => label}
      row={(spool) => (
        <div className="flex items-center gap-2.5">
          <SpoolRing spool={spool} className="size-14 shrink-0 opacity-75" />
          <div className="min-w-0">
            <p className="truncate font-medium">
              <bdi className="block truncate">
                {[spool.brand, spool.name, spool.color].filter(Boolean).join(' ')}
              </bdi>
            </p>
            <p className="truncate text-caption text-ink-3">
              <span className="code">{spool.label_code}</span> · {spool.material}
            </p>
          </div>
        </div>
      )}
      onRestore={restore.mutate}
    />
  )
}
