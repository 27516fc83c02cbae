import { useParams } from 'react-router'
import { scannedAddress } from '../app/scanned-address.ts'
import { Shell } from '../app/shell/shell.tsx'
import { OpenedCode } from '../features/scan/opened-code.tsx'
import { usePageTitle } from '../lib/format/page-title.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Opens the labeled object from the address on its label. */
export function LabelCodeRoute() {
  const { code = '' } = useParams()
  usePageTitle(t('Label'))
  return (
    <Shell current="dashboard">
      <OpenedCode code={code} addressOf={scannedAddress} />
    </Shell>
  )
}
