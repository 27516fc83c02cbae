import type { MatchedTool } from '@pegasus/contracts/print-queue/matching'
import type { PlateTool } from '@pegasus/contracts/print-queue/plates'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { FORWARD_ARROW } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'
/** A tool of a print, whose spool may lack something. */
type ListedTool = PlateTool & Partial<Pick<MatchedTool, 'lacks'>>

/** Lists the tools of the sliced file, each with the slot from which it prints. Renders nothing without tools. */
export const ToolList = ({ printerName, tools }: { printerName: string; tools: readonly ListedTool[] }) =>
  tools.length === 0 ? null : (
    <ul
      aria-label={t('Tools on {printerName}', { printerName })}
      className="mt-1 flex flex-col gap-0.5 text-caption text-ink-2"
    >
      {tools.map((tool) => (
        <li key={tool.tool} className="flex flex-wrap items-center gap-x-1.5">
          <span className="w-11 text-ink-3">{t('Tool {tool}', { tool: tool.tool + 1 })}</span>
          <ColorDot hex={tool.color_hex} />
          <span>
            {[tool.material, tool.grams === null ? null : formatGrams(tool.grams)].filter(Boolean).join(', ')}
          </span>
          <span className={tool.lacks == null ? undefined : 'text-red-ink'}>
            <span aria-hidden>{FORWARD_ARROW} </span>
            {describeSlot(tool)}
          </span>
        </li>
      ))}
    </ul>
  )

const LACKS = {
  material: t('no matching material'),
  color: t('another color'),
  grams: t('too little filament'),
} as const

/** Describes the slot of a tool: `slot 2, S-0042` or `slot 2, too little filament`. */
const describeSlot = ({ slot, filament_label: label, lacks = null }: ListedTool): string =>
  [
    slot === null ? t('no slot') : t('slot {slot}', { slot }),
    label ?? (lacks === null ? t('any spool') : null),
    lacks === null ? null : LACKS[lacks],
  ]
    .filter(Boolean)
    .join(', ')
