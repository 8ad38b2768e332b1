/** The words of which invented street and locality names are composed: one list for each kind, spelt as in a postal address. */
const list = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*|\s*\n\s*/)
    .filter(Boolean);

/** Names that many towns share. They are drawn often, so that a street search is narrow only with a town. */
export const sharedStreets = list(`
Tannery Row, Mill Lane, Station Road, Church Lane, Foundry Street, Orchard Way, Chapel Street, Quarry Hill, Brewery Lane,
Kiln Close, Ropewalk, The Shambles, Cattle Market Road, Wharf Street, Priory Gardens, Castle Hill, Almshouse Lane, Smithy Lane`);

export const streetBases = list(`
Abbotsmead, Acorn, Alder, Aldermoor, Anvil, Apple Garth, Archery, Ashdown, Ashgrove, Aspen, Badger, Bankside, Bark House, Barley,
Barnfield, Bartonsham, Basket Makers, Beacon, Beck, Beechcroft, Bellfounder, Bellmead, Birchwood, Bishop's Meadow, Blackthorn,
Blacksmith, Bleach Field, Blenheim, Bluebell, Bobbin, Bodkin, Bramble, Brampton, Brickfield, Bridle, Brindle, Broadleaf, Brockhill,
Brook, Buckthorn, Bulrush, Burdock, Burnside, Butter Cross, Buttermere, Buttonhook, Calico, Campion, Candlemaker, Canon's, Carder,
Carpenter, Cartwright, Castlefield, Celandine, Chaff, Chalkpit, Chandler, Charterhouse, Cherry Orchard, Chestnut, Cider Press,
Clarendon, Claypit, Clockmaker, Clothier, Clover, Coach House, Cobbler, Cobden, Coldharbour, Collier, Colmore, Comfrey, Cooper,
Coppice, Cordwainer, Corn Hall, Cornflower, Corvedale, Cotswold, Cowslip, Crabtree, Crane, Cranmer, Cresswell, Crofter, Cromwell,
Cuckoo, Culver, Curlew, Cutler, Daffodil, Dairy, Dale, Damson, Deacon, Deepdale, Dell, Denbigh, Doctor's, Dovecote, Dragonfly,
Drapers, Drovers, Dunlin, Dyer, Eastgate, Elder, Elgar, Elmhurst, Ember, Falcon, Fallow, Farrier, Fellmonger, Fernbank, Ferry,
Fiddler, Field Barn, Finch, Fishpool, Flaxfield, Fletcher, Flint, Forge, Fossil, Foxglove, Fuller, Furlong, Garrison, Glassworks,
Gleaner, Glebe, Glover, Goldcrest, Goldsmith, Goosefoot, Gorse, Granary, Grange, Granite, Greenfinch, Greyfriars, Grindstone,
Guildhall, Haberdasher, Hackney, Half Moon, Hammerpond, Harebell, Harness, Harrier, Harrow, Hatter, Hawthorn, Hayloft, Haymarket,
Hazel, Heather, Hedgerow, Herald, Heron, Hillcrest, Holloway, Hollybush, Honeysuckle, Hop Kiln, Hop Pole, Horseshoe, Hurdle,
Ivy, Jackdaw, Jasmine, Jubilee, Juniper, Kestrel, Keystone, Kingfisher, Knapp, Laburnum, Lacemaker, Lamb's, Lantern, Lapwing,
Larch, Laurel, Lavender, Leatherworks, Ledger, Lightermans, Lime Kiln, Linden, Linnet, Lodge, Longmead, Loom, Lugg, Lych Gate,
Madder, Magpie, Mallard, Malthouse, Maltings, Manor, Maple, Marigold, Marlpit, Martingale, Mason, Maypole, Meadow, Medlar,
Mercer, Merchant, Merlin, Middlemarch, Milestone, Millrace, Minster, Mistletoe, Moat, Monkswell, Moorhen, Mulberry, Nailer,
Narrow, Needlemaker, Nettle, Nightingale, Nine Elms, Nutfield, Oakfield, Oat, Old Brickyard, Osier, Osprey, Otter, Owl, Oxlip,
Packhorse, Paddock, Paper Mill, Parchment, Parsonage, Partridge, Pavilion, Pear Tree, Pebble, Penny, Peregrine, Periwinkle,
Pewter, Pilgrim, Pinfold, Pippin, Plough, Plover, Pomona, Poplar, Potter, Pound, Primrose, Printers, Pump House, Puddingstone,
Quayside, Quince, Rampart, Raven, Rectory, Redwing, Reed, Ridgeway, River, Robin Hood, Rookery, Rosemary, Rowan, Rush, Russet,
Saddler, Saffron, Sallow, Saltings, Sandpiper, Sawmill, Saxon, Scholar, Sedge, Sexton, Shearer, Shepherd, Sheriff, Shuttle,
Silver Birch, Silversmith, Skylark, Sloe, Snowdrop, Sorrel, Spindle, Spinney, Spring, Stable, Starling, Stonemason, Straw,
Sundial, Swan, Swift, Sycamore, Tailor, Tallow, Tansy, Teasel, Tenter, Thatcher, Thistle, Thornbury, Three Cocks, Threshers,
Tithe Barn, Toll House, Tucker, Turnpike, Turnstone, Twelve Acre, Valerian, Verger, Vetch, Viaduct, Vicarage, Vineyard, Wagon,
Walnut, Warbler, Warren, Watercress, Watermill, Wayfarer, Weaver, Weir, Well, Wharf, Wheatsheaf, Wheelwright, Whin, Whitebeam,
Willow, Windmill, Withy, Woad, Woodpecker, Wool Hall, Wren, Yarrow, Yeoman, Yew Tree`);

export const descriptors = list(`
Road, Road, Road, Street, Street, Street, Lane, Lane, Lane, Close, Close, Close, Way, Way, Avenue, Avenue, Drive, Drive, Row, Hill,
Gardens, Gardens, Court, Crescent, Place, Terrace, Terrace, Grove, Walk, Mews, Rise, Green, View, Park, Square, End, Bank, Croft`);

/** Side streets that hang off another one: the dependent thoroughfare. */
export const yardBases = list(`
Tannery, Maltings, Foundry, Wharf, Weavers, Station, Sidings, Brewery, Dyeworks, Sawmill, Granary, Chapel, Smithy, Bellfounders,
Orchard, Kiln, Priory, Canal, Old Dairy, Goods Shed, Bobbin Mill, Cider Works, Glasshouse, Paper Mill, Rope Works, Corn Exchange`);
export const yardDescriptors = list(
  `Yard, Yard, Mews, Court, Trading Estate, Industrial Estate, Business Park, Enterprise Park, Arcade, Row`,
);

export const welshStreets = list(`
Heol y Dŵr, Heol y Felin, Heol yr Orsaf, Heol y Gân, Heol Tŷ Gwyn, Ffordd y Castell, Ffordd Tŷ Coch, Ffordd y Môr, Ffordd y Bryn,
Ffordd Glanŵr, Lôn y Bryn, Lôn Tŷ Newydd, Lôn y Wennol, Lôn Cae Ffynnon, Stryd y Farchnad, Stryd yr Eglwys, Stryd y Bont,
Maes yr Haf, Maes y Dderwen, Maes Tŷ Mawr, Maes Llwyn Ŷd, Clos yr Ŵyn, Clos y Gwŷdd, Clos Ŷd Melyn, Rhes y Gof, Rhodfa'r Ŵydd, Bryn Gŵyl,
Allt y Pwll, Cwrt y Delyn, Pen y Banc, Parc y Ffynhonnau, Tan y Graig, Rhiw'r Cŵn, Gardd y Gwŷr, Glan yr Afon, Min y Ŵyddfa`);

export const gaelicStreets = list(`
Sràid na Fèille, Sràid a' Mhuilinn, Sràid Chnoc nan Gobhar, Rathad na Fèithe, Rathad an Eilein, Rathad a' Chnuic Ghlèidhte, Cidhe nan Sgadan,
Slighe na Cèilidh, Slighe nan Ròn, Bruach na h-Aibhne, Cnoc nan Gèadh, Cùirt an Taigh-sholais, Pàirc nan Crèadh, Lòn nan Gèadh,
Ceàrnag a' Mhargaidh, Druim na Dròbh, Gleann nan Sèimh, Àird nam Mèinn`);

export const localityFirst = list(`
Alders, Ash, Badger, Barton, Beck, Bishop's, Black, Bram, Broad, Brock, Burn, Cald, Chad, Clay, Cold, Copp, Cran, Crow, Cuck, Dun,
East, Elm, Fern, Flax, Fox, Gorse, Green, Hal, Ham, Hart, Haw, Hazel, Hedge, Holm, Kings, Lang, Lark, Leat, Lin, Lym, Marl, Mer, Mill,
Nether, North, Oak, Osier, Otter, Over, Pen, Plum, Pool, Quen, Raven, Red, Row, Rush, Sal, Sedge, Sel, Shep, Silver, Sorrel, South,
Stan, Stock, Swan, Thorn, Up, Walk, Weir, West, Wheat, Whit, Wick, Win, Wool, Wyn, Yar, Yew`);
export const localityLast = list(`
bourne, bridge, bury, combe, cote, dale, den, don, field, ford, grove, ham, hurst, ing, leigh, ley, low, mead, mere, minster, moor,
ridge, shaw, stead, stoke, stone, stow, thorpe, ton, well, wick, wold, wood, worth`);
export const localityQualifiers = list(`Upper, Lower, Great, Little, Nether, Over, Old, New, North, South`);
export const hamletNouns = list(`Green, End, Common, Cross, Heath, Bottom, Hatch, Marsh, Bank, Gate, Mead, Quay`);

export const welshLocalities = list(`
Llanfair-y-Cwm, Pentre Tŷ Coch, Tre'r Ŵydd, Abergwŷr, Llwyn Ŷd, Nant y Dŵr, Cwm Glanŵr, Bryn Gŵydd, Pont y Felin Wen, Rhyd y Gŵr,
Llanddewi Fach Uchaf, Cae'r Bryn Hir, Blaen Dŵr, Glyn Tŷ Hen, Maes Gŵyr`);
export const gaelicLocalities = list(`
Baile nan Gèadh, Druim Fèithe, Cnoc Cèilidh, Inver Glèidh, Ach nan Crèadh, Port na Mèinn, Kilmorag, Balnafearn, Auchterlinn,
Strathdour, Inverlochty, Dalnacraig, Kirkbrae, Craigendour, Balmuick`);
