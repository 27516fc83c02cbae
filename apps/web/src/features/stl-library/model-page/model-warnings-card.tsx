import type { StlFile } from '@pegasus/contracts/stl-files'
import { Ruler, Terminal, TriangleAlert } from 'lucide-react'
import { Card } from '@/components/ui/card.tsx'
import { isAboutUnits, warningTitle } from './model-warnings.ts'

/** What to beware of before printing; nothing at all where there is nothing. */
export function ModelWarnings({ model }: { model: Pick<StlFile, 'warnings' | 'has_slicer_command'> }) {
  const count = model.warnings.length + (model.has_slicer_command ? 1 : 0)
  if (count === 0) return null
  return (
    <Card title="Warnings" aside={count}>
      <ul className="divide-y divide-line">
        {model.warnings.map((warning) => {
          const Icon = isAboutUnits(warning) ? Ruler : TriangleAlert
          const title = warningTitle(warning)
          return (
            <li key={warning.code} className="flex gap-2.5 px-4 py-[11px]">
              <Icon size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-yellow-ink" aria-hidden />
              <div className="min-w-0">
                {title ? <p className="font-semibold">{title}</p> : null}
                <p className="text-label text-ink-2 wrap-anywhere">{warning.message}</p>
              </div>
            </li>
          )
        })}
        {model.has_slicer_command ? <SlicerCommand /> : null}
      </ul>
    </Card>
  )
}

const SlicerCommand = () => (
  <li className="flex gap-2.5 px-4 py-[11px]">
    <Terminal size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-yellow-ink" aria-hidden />
    <div className="min-w-0">
      <p className="font-semibold">Came with a slicer command</p>
      <p className="text-label text-ink-2">
        The file held a command that a slicer would run on the computer that opens it. It is not in what is
        downloaded from here.
      </p>
    </div>
  </li>
)
