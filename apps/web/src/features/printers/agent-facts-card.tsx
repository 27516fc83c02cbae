import type { AgentFacts } from '@pegasus/contracts/print-queue/printers'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Shows what the agent of a printer stated in its last claim. The planner uses it instead of what people have entered.
 */
export const AgentFactsCard = ({ facts }: { facts: AgentFacts }) => (
  <Card title={t('As reported by its agent')}>
    <DetailList>
      <Detail name={t('Print area')}>
        {facts.bed_mm && t('{bed} mm', { bed: facts.bed_mm.join(' × ') })}
      </Detail>
      <Detail name={t('Nozzle')}>
        {facts.nozzle_mm && t('{nozzle} mm', { nozzle: formatCount(facts.nozzle_mm) })}
      </Detail>
      <Detail name={t('Materials')}>{facts.materials?.join(', ')}</Detail>
      <Detail name={t('File formats')}>{facts.file_types?.map((type) => `.${type}`).join(', ')}</Detail>
      <Detail name={t('Reported')}>{formatDateTime(facts.stated_at)}</Detail>
    </DetailList>
    <p className="border-t border-line px-4 py-3 text-caption text-ink-3">
      {t('These values decide which jobs fit, before those that were entered here.')}
    </p>
  </Card>
)
