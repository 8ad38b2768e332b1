/** The words of which the names of invented organisations, buildings and departments are composed. */
const list = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*|\s*\n\s*/)
    .filter(Boolean);

export const surnames = list(`
Abberley, Aldwick, Ambler, Arkwright, Ashcombe, Attwell, Baddeley, Barrowclough, Beddoes, Bellamy, Birtwhistle, Blenkinsop, Bosworth,
Bracegirdle, Brockbank, Buckley, Calloway, Cartledge, Chudleigh, Clutterbuck, Cobbledick, Copperwheat, Crabtree, Dalrymple, Davenport,
D'Arcy, Dewhurst, Doubleday, Eardley, Eccleston, Entwistle, Fairweather, Fawcett, Featherstone, Fothergill, Garside, Gathercole, Goodbody,
Greenhalgh, Gwillim, Hallworth, Hardcastle, Heptonstall, Hollingsworth, Huckerby, Illingworth, Jessop, Kettlewell, Kilner, Lambourne,
Lightfoot, Lillywhite, MacAskill, MacRae, Merriweather, Micklethwaite, Molyneux, Musgrave, Nettleship, O'Dowd, O'Hanlon, O'Neill,
Oldershaw, Ormerod, Pargeter, Pennington, Pettigrew, Pilkington, Postlethwaite, Probert, Pumphrey, Quartermaine, Ramsbottom, Rowbotham,
Satterthwaite, Scattergood, Sidebottom, Skelhorn, Smallbone, Standish, Sugden, Tattersall, Thistlethwaite, Threlfall, Tipping, Trelawney,
Tunnicliffe, Twelvetrees, Underhay, Vickerstaff, Wadsworth, Wagstaff, Whittingham, Wigglesworth, Winterbottom, Wolstenholme, Yardley`);

export const tradingNames = list(`
Weir End, Lugg Valley, Pomona, Bishop's Frome, Two Rivers, Old Mill, Green Dragon, Black Swan, Castle Gate, Market Cross, Blue Door,
Little Acorns, High Barn, Copper Kettle, Stone Bridge, River Bank, Silver Birch, Red Kite, White Hart, Long Meadow, Three Counties,
Beacon, Wayside, Meridian, Northgate, Southgate, Eastbrook, Westfield, Cornerstone, Harbour Light, Summit, Priory, Abbey, Minster,
Kingfisher, Bluebell, Thistle & Rose, Oak & Ash, Hop & Barley, Salt & Rye, Café Noémie, Crème Anglaise, Señor Pepe's, Déjà Brew`);

export const trades = list(`
Upholstery, Cycles, Press Works, Joinery, Bakery, Bookshop, Butchers, Plumbing & Heating, Electrical, Roofing, Motors, Tyres & Exhausts,
Veterinary Surgery, Dental Practice, Opticians, Pharmacy, Hardware, Ironmongers, Saddlery, Clockmakers, Framing, Florists, Garden Centre,
Nursery, Day Nursery, Flooring, Carpets, Kitchens, Glass & Glazing, Stonemasons, Scaffolding, Haulage, Removals, Self Storage, Packaging,
Printers, Signs, Design Studio, Architects, Surveyors, Estate Agents, Accountants, Solicitors, Insurance Brokers, Travel, Recruitment,
Training, Software, Data Services, Engineering, Fabrications, Precision Tools, Plastics, Timber, Builders Merchants, Agricultural Supplies,
Seeds, Cider Company, Brewery, Coffee Roasters, Tea Rooms, Fish Bar, Restaurant, Guest House, Hotel, Leisure, Fitness, Music School, Dance Studio`);

export const orgSuffixes = list(
  `Ltd, Ltd, Ltd, Limited, & Sons, & Sons Ltd, & Daughters, & Co, & Co Ltd, LLP, Group, PLC, CIC`,
);

export const publicBodies = list(`
Medical Centre, Primary School, Community Hall, Library, Fire Station, Parish Rooms, Credit Union, Citizens Advice, Almshouse Trust, Arts Centre`);

export const departments = list(`
Accounts Department, Purchase Ledger, Human Resources, Customer Services, Sales Department, Despatch, Goods Inwards, Payroll, Legal Department,
Estates Office, IT Support, Marketing, Admissions, Returns, Quality Assurance, Research & Development, Reception, Planning Department`);

export const houseFirst = list(`
Rose, Ivy, Orchard, Holly, Hazel, Bramble, Meadow, Brook, Corner, Primrose, Honeysuckle, Willow, Fern, Heather, Apple Tree, Cherry Tree,
Walnut, Laurel, Yew Tree, Spring, Sunny, Hill, Forge, Smithy, Mill, Keeper's, Shepherd's, Miller's, Weaver's, Saddler's, Gardener's,
Rook, Swallow, Owl, Dove, Fox, Badger, Bark, Pound, Chapel, Church, Glebe, Wisteria, Jasmine, Lavender, Lilac, Magnolia, Quince`);
export const houseLast = list(
  `Cottage, Cottage, Cottage, House, House, Lodge, Barn, Croft, Villa, View, Farm, Bank, Nook, Hollow`,
);
export const oldHouses = list(`
The Old Rectory, The Old Bark House, The Old School House, The Old Forge, The Old Post Office, The Old Chapel, The Old Dairy, The Old Granary,
The Coach House, The Gate House, The Hollies, The Laurels, The Firs, The Limes, The Beeches, The Elms, The Bungalow, The Haven, The Nook,
Hilltop, Fairview, Greenacres, Westwinds, Four Winds, Journey's End, Wits' End, Dunroamin, Brookside, Woodlands, Rosemead, Ashlea, Hillcroft`);
export const welshHouses = list(
  `Tŷ Gwyn, Tŷ Coch, Tŷ'r Ysgol, Tŷ Newydd, Bryn Dŵr, Llys Gŵyl, Hafan Ŷd, Bwthyn y Gŵr, Erw Lŵyd, Y Gŵyrdd`,
);
export const gaelicHouses = list(
  `Taigh na Fèille, Taigh nan Gèadh, An Cèarn, Taigh a' Mhinistèir, Cnoc Grèine, Tigh na Mara, Bruach Sèimh`,
);
export const blockNames = list(`
Marlow, Pomona, Calico, Bellfounder, Granary, Wharfside, Mercer, Lantern, Sundial, Kestrel, Juniper, Copper, Mulberry, Clarence, Albion,
Regent, Sovereign, Beaumont, Chandler, Harcourt, Linden, Weavers, Tanners, Maltings, Printworks, Cotton, Priory, Lockkeeper's, Quadrant`);
export const blockLast = list(`Court, House, Heights, Mansions, Point, Lodge, Buildings, Apartments`);
