import type { Model } from '@pegasus/contracts/stl-library/models'
import { Ruler, Terminal, TriangleAlert } from 'lucide-react'
import { Card } from '@/components/ui/display/card.tsx'
import { isAboutUnits, type ModelWarning, splitCommands, warningTitle } from './model-warnings.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Shows warnings to read before printing. Renders nothing if there are none. */
export function ModelWarnings({ model }: { model: Pick<Model, 'warnings' | 'has_slicer_command'> }) {
  const [commands, others] = splitCommands(model.warnings)
  const hasCommand = model.has_slicer_command || commands.length > 0
  const count = others.length + (hasCommand ? 1 : 0)
  if (count === 0) return null
  return (
    <Card title={t('Warnings')} aside={count}>
      <ul className="divide-y divide-line">
        {others.map((warning) => {
          const Icon = isAboutUnits(warning) ? Ruler : TriangleAlert
          const title = warningTitle(warning)
          return (
            <li key={`${warning.code} ${warning.message}`} className="flex gap-2.5 px-4 py-[11px]">
              <Icon size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-yellow-ink" aria-hidden />
              <div className="min-w-0">
                {title ? <p className="font-semibold">{title}</p> : null}
                <p className="text-label text-ink-2 wrap-anywhere">{serverText(warning.message)}</p>
              </div>
            </li>
          )
        })}
        {hasCommand ? <SlicerCommand warnings={commands} /> : null}
      </ul>
    </Card>
  )
}

/** One warning for all slicer commands in the file. It lists where they are. */
const SlicerCommand = ({ warnings }: { warnings: readonly ModelWarning[] }) => (
  <li className="flex gap-2.5 px-4 py-[11px]">
    <Terminal size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-yellow-ink" aria-hidden />
    <div className="min-w-0">
      <p className="font-semibold">{t('Contained a slicer command')}</p>
      <p className="text-label text-ink-2">
        {t(
          'The uploaded file contained a command that a slicer would run on the computer that opens the file. Downloads do not contain it, so their size and SHA-256 differ from those of the uploaded file.',
        )}
      </p>
      {warnings.length > 0 ? (
        <details className="mt-1 text-label text-ink-3">
          <summary className="cursor-pointer">{t('Details')}</summary>
          <ul>
            {warnings.map(({ message }) => (
              <li key={message} className="wrap-anywhere">
                {serverText(message)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  </li>
)
