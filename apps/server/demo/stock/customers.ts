/** A customer of the demo. Businesses return and buy larger quantities. The addresses do not exist. */
export interface DemoCustomer {
  name: string
  email: string
  isBusiness: boolean
}

const PEOPLE = [
  'Keiko Tanaka',
  '山田 花子',
  '佐藤 健一',
  'Ó Súilleabháin & Daughters',
  'Agnieszka Szczęsna-Brzęczyszczykiewicz',
  'Grzegorz Żółkiewski',
  'Łukasz Wiśniewski',
  'Zażółć Gęślą-Jaźń',
  'محمد عبد الرحمن',
  'فاطمة الزهراء بنت علي',
  'ليلى حداد',
  'Hedvig Ångström',
  'Søren Kjærgaard',
  'Þórunn Björk Sigurðardóttir',
  'Noé Lefèvre',
  'Inés Muñoz Carrasco',
  'João Pedro d’Alcântara',
  'Nguyễn Thị Minh Khai',
  '김서연',
  '陈晓明',
  'Олександра Шевченко',
  'Δημήτρης Παπαδόπουλος',
  'שירה לוי',
  'Ayşe Yıldırım',
  'Chidi Okonkwo',
  'Priya Raghunathan',
  'J. D.',
  'Emma Clarke',
  'Marcus Aurelio Bianchi',
  'Hannah Fitzgerald',
  'Oliver Grant',
  'Sofia Lindqvist',
  'Mateo Rojas',
  'Ruth Abramson',
  'Tomasz Kaczmarek',
  'Ingrid van der Meer',
  'Wolfgang Amadeus Huber',
  'Lucía Fernández',
  'Ana-Maria Ionescu',
  'Bo Li',
] as const

const BUSINESSES = [
  'Bibliothek der Hochschule für Gestaltung Offenbach am Main',
  'Northwind Robotics Club (school order)',
  'Atelier Brandt GmbH',
  'Spielwiese Brettspielcafé',
  'Makerspace Kraków Sp. z o.o.',
  '株式会社 小さな工房',
  'Fábrica de Ideias Lda.',
  'Harbour Street Hardware',
  'Wind Tunnel Lab, Technical University of Denmark – Department of Wind and Energy Systems',
] as const

const addressOf = (index: number): string => `customer-${String(index + 1).padStart(3, '0')}@mail.example`

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  ...PEOPLE.map((name, i) => ({ name, email: addressOf(i), isBusiness: false })),
  ...BUSINESSES.map((name, i) => ({ name, email: addressOf(PEOPLE.length + i), isBusiness: true })),
]
