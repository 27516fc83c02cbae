import type { Label } from '@pegasus/contracts/labels/labels'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

const GROUPS: Readonly<Record<Label['kind'], string>> = {
  item: t('Items'),
  location: t('Locations'),
  spool: t('Spools'),
  print_job: t('Print jobs'),
  order: t('Orders'),
  model: t('Models'),
  printer: t('Printers'),
}

interface LabelChoicesProps {
  labels: readonly Label[]
  /** The ids of the labels that are not printed. */
  excluded: ReadonlySet<string>
  onChange: (excluded: ReadonlySet<string>) => void
}

/**
 * Lists the labels of a run by kind, each with a checkbox to leave it out. Renders nothing for a single
 * label.
 */
export function LabelChoices({ labels, excluded, onChange }: LabelChoicesProps) {
  if (labels.length < 2) return null
  const kinds = [...new Set(labels.map(({ kind }) => kind))]
  const set = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(excluded)
    for (const id of ids)
      if (isOn) next.delete(id)
      else next.add(id)
    onChange(next)
  }
  return (
    <div className="mt-4 flex flex-col gap-3" role="group" aria-label={t('Labels to print')}>
      {kinds.map((kind) => {
        const group = labels.filter((label) => label.kind === kind)
        const ids = group.map(({ id }) => id)
        const chosen = ids.filter((id) => !excluded.has(id)).length
        return (
          <section key={kind} className="rounded-control border border-line">
            <div className="flex items-center gap-2 border-b border-line px-3 py-1">
              <Checkbox
                label={<span className="font-semibold">{GROUPS[kind]}</span>}
                checked={chosen === group.length}
                isMixed={chosen > 0 && chosen < group.length}
                onChange={() => set(ids, chosen < group.length)}
              />
              <span className="ms-auto text-caption text-ink-3">
                {t('{chosen} of {group}', { chosen: formatCount(chosen), group: formatCount(group.length) })}
              </span>
            </div>
            <ul className="grid max-h-40 grid-cols-[minmax(0,1fr)] overflow-y-auto px-3 py-1 sm:grid-cols-2">
              {group.map(({ id, name, code }) => (
                <li key={id} className="min-w-0">
                  <Checkbox
                    label={
                      <span className="block truncate" title={name}>
                        <bdi>{name}</bdi> <span className="text-caption text-ink-3 code">{code}</span>
                      </span>
                    }
                    checked={!excluded.has(id)}
                    onChange={() => set([id], excluded.has(id))}
                    className="max-w-full [&>span]:min-w-0"
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
