import { modelAddress, tabAddress } from '../app/tabs.ts'
import { AdminPage } from '../app/admin-page.tsx'
import { ModelList } from '../features/products/model-list.tsx'

export function WizardRoute() {
  return (
    <AdminPage title="New product">
      <ModelList modelAddress={modelAddress} libraryAddress={tabAddress('stl-library')} />
    </AdminPage>
  )
}
