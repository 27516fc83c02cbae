import { AdminPage } from '../app/admin-page.tsx'
import { productAddress } from '../app/tabs.ts'
import { WizardPage } from '../features/products/wizard/wizard-page.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function WizardRoute() {
  return (
    <AdminPage title={t('New Product')}>
      <WizardPage productAddress={productAddress} />
    </AdminPage>
  )
}
