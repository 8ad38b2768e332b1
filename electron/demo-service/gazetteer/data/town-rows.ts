/** The part of the country that a town belongs to; it names the regional office of the town's health bodies. */
export type Region =
  | 'East Midlands'
  | 'East of England'
  | 'London'
  | 'North East'
  | 'North West'
  | 'Northern Ireland'
  | 'Scotland'
  | 'South East'
  | 'South West'
  | 'Wales'
  | 'West Midlands'
  | 'Yorkshire and the Humber';

export type Country = 'England' | 'Scotland' | 'Wales' | 'Northern Ireland';

/** The side of the town where the water is, so that no premise is placed in the sea. '' means inland. */
export type Seaward = '' | 'N' | 'NE' | 'E' | 'SE' | 'S' | 'SW' | 'W' | 'NW';

/**
 * A real post town. Tuple: post town; postcode area; invented district numbers (a test checks that no real district has them); latitude and
 * longitude of its middle (WGS84 degrees, accurate to about a kilometre); relative size; region; local authority;
 * administrative county; former postal county; traditional county; seaward side.
 */
export type TownRow = readonly [
  postTown: string,
  area: string,
  districts: readonly number[],
  latitude: number,
  longitude: number,
  weight: number,
  region: Region,
  localAuthority: string,
  administrative: string,
  formerPostal: string,
  traditional: string,
  seaward?: Seaward,
];

// biome-ignore format: one town a line is what makes this table readable
export const townsOfEngland: readonly TownRow[] = [
  ['Hereford', 'HR', [10, 11], 52.0565, -2.716, 7, 'West Midlands', 'Herefordshire', 'County of Herefordshire', 'Herefordshire', 'Herefordshire'],
  ['Leominster', 'HR', [12], 52.2277, -2.7385, 3, 'West Midlands', 'Herefordshire', 'County of Herefordshire', 'Herefordshire', 'Herefordshire'],
  ['Ross-on-Wye', 'HR', [14], 51.9145, -2.5855, 3, 'West Midlands', 'Herefordshire', 'County of Herefordshire', 'Herefordshire', 'Herefordshire'],
  ['Ledbury', 'HR', [15], 52.0345, -2.4235, 2, 'West Midlands', 'Herefordshire', 'County of Herefordshire', 'Herefordshire', 'Herefordshire'],
  ['Worcester', 'WR', [16, 17], 52.192, -2.2215, 7, 'West Midlands', 'Worcester', 'Worcestershire', 'Worcestershire', 'Worcestershire'],
  ['Shrewsbury', 'SY', [26, 27], 52.708, -2.754, 6, 'West Midlands', 'Shropshire', 'Shropshire', 'Shropshire', 'Shropshire'],
  ['Ludlow', 'SY', [28], 52.3675, -2.7185, 2, 'West Midlands', 'Shropshire', 'Shropshire', 'Shropshire', 'Shropshire'],
  ['Telford', 'TF', [14, 15], 52.677, -2.449, 6, 'West Midlands', 'Telford and Wrekin', 'Telford and Wrekin', 'Shropshire', 'Shropshire'],
  ['Birmingham', 'B', [51, 52, 53], 52.4795, -1.9025, 16, 'West Midlands', 'Birmingham', 'Birmingham', 'West Midlands', 'Warwickshire'],
  ['Wolverhampton', 'WV', [17, 18], 52.587, -2.1285, 7, 'West Midlands', 'Wolverhampton', 'Wolverhampton', 'West Midlands', 'Staffordshire'],
  ['Coventry', 'CV', [14, 15], 52.408, -1.5105, 9, 'West Midlands', 'Coventry', 'Coventry', 'West Midlands', 'Warwickshire'],
  ['Stoke-on-Trent', 'ST', [22, 23], 53.0255, -2.1815, 8, 'West Midlands', 'Stoke-on-Trent', 'Stoke-on-Trent', 'Staffordshire', 'Staffordshire'],
  ['Stafford', 'ST', [24], 52.806, -2.117, 4, 'West Midlands', 'Stafford', 'Staffordshire', 'Staffordshire', 'Staffordshire'],
  ['Nottingham', 'NG', [35, 36], 52.954, -1.15, 9, 'East Midlands', 'Nottingham', 'Nottingham', 'Nottinghamshire', 'Nottinghamshire'],
  ['Newark', 'NG', [37], 53.0765, -0.81, 3, 'East Midlands', 'Newark and Sherwood', 'Nottinghamshire', 'Nottinghamshire', 'Nottinghamshire'],
  ['Leicester', 'LE', [22, 23], 52.6365, -1.1395, 9, 'East Midlands', 'Leicester', 'Leicester', 'Leicestershire', 'Leicestershire'],
  ['Loughborough', 'LE', [24], 52.7715, -1.206, 4, 'East Midlands', 'Charnwood', 'Leicestershire', 'Leicestershire', 'Leicestershire'],
  ['Derby', 'DE', [25, 26], 52.9225, -1.4765, 7, 'East Midlands', 'Derby', 'Derby', 'Derbyshire', 'Derbyshire'],
  ['Lincoln', 'LN', [14, 15], 53.2305, -0.5405, 5, 'East Midlands', 'Lincoln', 'Lincolnshire', 'Lincolnshire', 'Lincolnshire'],
  ['Northampton', 'NN', [20, 21], 52.237, -0.895, 7, 'East Midlands', 'West Northamptonshire', 'West Northamptonshire', 'Northamptonshire', 'Northamptonshire'],
  ['Cambridge', 'CB', [12, 13], 52.2053, 0.1218, 6, 'East of England', 'Cambridge', 'Cambridgeshire', 'Cambridgeshire', 'Cambridgeshire'],
  ['Ely', 'CB', [14], 52.3995, 0.2625, 3, 'East of England', 'East Cambridgeshire', 'Cambridgeshire', 'Cambridgeshire', 'Cambridgeshire'],
  ['Peterborough', 'PE', [40, 41], 52.5725, -0.243, 6, 'East of England', 'Peterborough', 'Peterborough', 'Cambridgeshire', 'Northamptonshire'],
  ['Norwich', 'NR', [36, 37], 52.6285, 1.2925, 7, 'East of England', 'Norwich', 'Norfolk', 'Norfolk', 'Norfolk'],
  ['Ipswich', 'IP', [34, 35], 52.057, 1.1545, 6, 'East of England', 'Ipswich', 'Suffolk', 'Suffolk', 'Suffolk'],
  ['Bury St Edmunds', 'IP', [36], 52.2465, 0.7145, 3, 'East of England', 'West Suffolk', 'Suffolk', 'Suffolk', 'Suffolk'],
  ['Colchester', 'CO', [17, 18], 51.8895, 0.9015, 6, 'East of England', 'Colchester', 'Essex', 'Essex', 'Essex'],
  ['Chelmsford', 'CM', [26, 27], 51.7345, 0.4735, 5, 'East of England', 'Chelmsford', 'Essex', 'Essex', 'Essex'],
  ['Luton', 'LU', [8, 9], 51.8785, -0.4165, 6, 'East of England', 'Luton', 'Luton', 'Bedfordshire', 'Bedfordshire'],
  ['Bedford', 'MK', [47, 48], 52.136, -0.467, 5, 'East of England', 'Bedford', 'Bedford', 'Bedfordshire', 'Bedfordshire'],
  ['Milton Keynes', 'MK', [20, 21], 52.0405, -0.7595, 7, 'South East', 'Milton Keynes', 'Milton Keynes', 'Buckinghamshire', 'Buckinghamshire'],
  ['Oxford', 'OX', [30, 31], 51.752, -1.2577, 6, 'South East', 'Oxford', 'Oxfordshire', 'Oxfordshire', 'Oxfordshire'],
  ['Banbury', 'OX', [32], 52.063, -1.34, 3, 'South East', 'Cherwell', 'Oxfordshire', 'Oxfordshire', 'Oxfordshire'],
  ['Reading', 'RG', [35, 36], 51.4545, -0.978, 7, 'South East', 'Reading', 'Reading', 'Berkshire', 'Berkshire'],
  ['Guildford', 'GU', [36, 37], 51.2365, -0.5705, 5, 'South East', 'Guildford', 'Surrey', 'Surrey', 'Surrey'],
  ['Southampton', 'SO', [26, 27], 50.92, -1.4045, 8, 'South East', 'Southampton', 'Southampton', 'Hampshire', 'Hampshire', 'S'],
  ['Winchester', 'SO', [28], 51.0632, -1.308, 4, 'South East', 'Winchester', 'Hampshire', 'Hampshire', 'Hampshire'],
  ['Portsmouth', 'PO', [42, 43], 50.8165, -1.0755, 6, 'South East', 'Portsmouth', 'Portsmouth', 'Hampshire', 'Hampshire', 'SW'],
  ['Brighton', 'BN', [30, 31], 50.8375, -0.1375, 7, 'South East', 'Brighton and Hove', 'Brighton and Hove', 'East Sussex', 'Sussex', 'S'],
  ['Lewes', 'BN', [32], 50.874, 0.009, 2, 'South East', 'Lewes', 'East Sussex', 'East Sussex', 'Sussex'],
  ['Canterbury', 'CT', [24, 25], 51.28, 1.079, 5, 'South East', 'Canterbury', 'Kent', 'Kent', 'Kent'],
  ['Maidstone', 'ME', [22, 23], 51.272, 0.529, 5, 'South East', 'Maidstone', 'Kent', 'Kent', 'Kent'],
  ['Tunbridge Wells', 'TN', [41], 51.1325, 0.2635, 4, 'South East', 'Tunbridge Wells', 'Kent', 'Kent', 'Kent'],
  ['London', 'SE', [31, 32, 33], 51.4735, -0.0695, 14, 'London', 'Southwark', 'Greater London', 'London', 'Surrey'],
  ['London', 'N', [31, 32], 51.5705, -0.1165, 12, 'London', 'Islington', 'Greater London', 'London', 'Middlesex'],
  ['London', 'E', [31, 32], 51.5355, -0.0345, 12, 'London', 'Tower Hamlets', 'Greater London', 'London', 'Middlesex'],
  ['London', 'SW', [31, 32], 51.4625, -0.1685, 12, 'London', 'Wandsworth', 'Greater London', 'London', 'Surrey'],
  ['Bristol', 'BS', [51, 52, 53], 51.4545, -2.588, 11, 'South West', 'City of Bristol', 'City of Bristol', 'Avon', 'Gloucestershire'],
  ['Bath', 'BA', [23, 24], 51.381, -2.359, 5, 'South West', 'Bath and North East Somerset', 'Bath and North East Somerset', 'Avon', 'Somerset'],
  ['Gloucester', 'GL', [21, 22], 51.8645, -2.2445, 5, 'South West', 'Gloucester', 'Gloucestershire', 'Gloucestershire', 'Gloucestershire'],
  ['Cheltenham', 'GL', [57], 51.8995, -2.0775, 5, 'South West', 'Cheltenham', 'Gloucestershire', 'Gloucestershire', 'Gloucestershire'],
  ['Swindon', 'SN', [27, 28], 51.556, -1.78, 6, 'South West', 'Swindon', 'Swindon', 'Wiltshire', 'Wiltshire'],
  ['Salisbury', 'SP', [12, 13], 51.069, -1.7945, 4, 'South West', 'Wiltshire', 'Wiltshire', 'Wiltshire', 'Wiltshire'],
  ['Taunton', 'TA', [25, 26], 51.0155, -3.1065, 4, 'South West', 'Somerset', 'Somerset', 'Somerset', 'Somerset'],
  ['Exeter', 'EX', [40, 41], 50.7185, -3.5335, 6, 'South West', 'Exeter', 'Devon', 'Devon', 'Devon'],
  ['Barnstaple', 'EX', [42], 51.08, -4.058, 3, 'South West', 'North Devon', 'Devon', 'Devon', 'Devon'],
  ['Plymouth', 'PL', [40, 41], 50.3755, -4.1425, 8, 'South West', 'Plymouth', 'Plymouth', 'Devon', 'Devon', 'S'],
  ['Truro', 'TR', [28], 50.263, -5.051, 3, 'South West', 'Cornwall', 'Cornwall', 'Cornwall', 'Cornwall'],
  ['Penzance', 'TR', [29], 50.1188, -5.5375, 2, 'South West', 'Cornwall', 'Cornwall', 'Cornwall', 'Cornwall', 'SE'],
  ['Dorchester', 'DT', [12], 50.715, -2.437, 3, 'South West', 'Dorset', 'Dorset', 'Dorset', 'Dorset'],
  ['Bournemouth', 'BH', [32, 33], 50.7245, -1.876, 6, 'South West', 'Bournemouth, Christchurch and Poole', 'Bournemouth, Christchurch and Poole', 'Dorset', 'Hampshire', 'S'],
  ['Manchester', 'M', [52, 53, 54], 53.4795, -2.2451, 13, 'North West', 'Manchester', 'Greater Manchester', 'Lancashire', 'Lancashire'],
  ['Bolton', 'BL', [15, 16], 53.5785, -2.4295, 6, 'North West', 'Bolton', 'Greater Manchester', 'Lancashire', 'Lancashire'],
  ['Stockport', 'SK', [24, 25], 53.4085, -2.1575, 6, 'North West', 'Stockport', 'Greater Manchester', 'Cheshire', 'Cheshire'],
  ['Macclesfield', 'SK', [26], 53.2605, -2.1265, 3, 'North West', 'Cheshire East', 'Cheshire East', 'Cheshire', 'Cheshire'],
  ['Liverpool', 'L', [51, 52, 53], 53.4085, -2.979, 11, 'North West', 'Liverpool', 'Merseyside', 'Merseyside', 'Lancashire', 'W'],
  ['Chester', 'CH', [10, 11], 53.1905, -2.8915, 5, 'North West', 'Cheshire West and Chester', 'Cheshire West and Chester', 'Cheshire', 'Cheshire'],
  ['Warrington', 'WA', [17, 18], 53.39, -2.597, 6, 'North West', 'Warrington', 'Warrington', 'Cheshire', 'Lancashire'],
  ['Preston', 'PR', [14, 15], 53.763, -2.7035, 6, 'North West', 'Preston', 'Lancashire', 'Lancashire', 'Lancashire'],
  ['Lancaster', 'LA', [24, 25], 54.0485, -2.801, 4, 'North West', 'Lancaster', 'Lancashire', 'Lancashire', 'Lancashire'],
  ['Kendal', 'LA', [26], 54.328, -2.7465, 3, 'North West', 'Westmorland and Furness', 'Westmorland and Furness', 'Cumbria', 'Westmorland'],
  ['Carlisle', 'CA', [30, 31], 54.8925, -2.933, 5, 'North West', 'Cumberland', 'Cumberland', 'Cumbria', 'Cumberland'],
  ['Leeds', 'LS', [31, 32, 33], 53.7995, -1.549, 12, 'Yorkshire and the Humber', 'Leeds', 'West Yorkshire', 'West Yorkshire', 'Yorkshire'],
  ['Otley', 'LS', [34], 53.9055, -1.6905, 2, 'Yorkshire and the Humber', 'Leeds', 'West Yorkshire', 'West Yorkshire', 'Yorkshire'],
  ['Bradford', 'BD', [31, 32], 53.7945, -1.752, 8, 'Yorkshire and the Humber', 'Bradford', 'West Yorkshire', 'West Yorkshire', 'Yorkshire'],
  ['Skipton', 'BD', [33], 53.9625, -2.0165, 2, 'Yorkshire and the Humber', 'North Yorkshire', 'North Yorkshire', 'North Yorkshire', 'Yorkshire'],
  ['Halifax', 'HX', [8, 9], 53.7235, -1.8605, 5, 'Yorkshire and the Humber', 'Calderdale', 'West Yorkshire', 'West Yorkshire', 'Yorkshire'],
  ['Huddersfield', 'HD', [10, 11], 53.6455, -1.782, 6, 'Yorkshire and the Humber', 'Kirklees', 'West Yorkshire', 'West Yorkshire', 'Yorkshire'],
  ['Sheffield', 'S', [51, 52, 53], 53.381, -1.4705, 11, 'Yorkshire and the Humber', 'Sheffield', 'South Yorkshire', 'South Yorkshire', 'Yorkshire'],
  ['Chesterfield', 'S', [54], 53.235, -1.4275, 4, 'East Midlands', 'Chesterfield', 'Derbyshire', 'Derbyshire', 'Derbyshire'],
  ['Doncaster', 'DN', [42, 43], 53.5225, -1.1335, 6, 'Yorkshire and the Humber', 'Doncaster', 'South Yorkshire', 'South Yorkshire', 'Yorkshire'],
  ['York', 'YO', [33, 34], 53.959, -1.0815, 7, 'Yorkshire and the Humber', 'York', 'York', 'North Yorkshire', 'Yorkshire'],
  ['Whitby', 'YO', [35], 54.483, -0.6155, 2, 'Yorkshire and the Humber', 'North Yorkshire', 'North Yorkshire', 'North Yorkshire', 'Yorkshire', 'NE'],
  ['Hull', 'HU', [21, 22], 53.75, -0.338, 8, 'Yorkshire and the Humber', 'City of Kingston upon Hull', 'City of Kingston upon Hull', 'North Humberside', 'Yorkshire', 'S'],
  ['Harrogate', 'HG', [6, 7], 53.9925, -1.5415, 4, 'Yorkshire and the Humber', 'North Yorkshire', 'North Yorkshire', 'North Yorkshire', 'Yorkshire'],
  ['Durham', 'DH', [10, 11], 54.777, -1.576, 4, 'North East', 'County Durham', 'County Durham', 'County Durham', 'County Durham'],
  ['Darlington', 'DL', [20, 21], 54.5245, -1.5535, 4, 'North East', 'Darlington', 'Darlington', 'County Durham', 'County Durham'],
  ['Newcastle upon Tyne', 'NE', [50, 51], 54.9735, -1.6135, 9, 'North East', 'Newcastle upon Tyne', 'Tyne and Wear', 'Tyne and Wear', 'Northumberland'],
  ['Hexham', 'NE', [52], 54.971, -2.101, 2, 'North East', 'Northumberland', 'Northumberland', 'Northumberland', 'Northumberland'],
  ['Sunderland', 'SR', [10, 11], 54.9065, -1.384, 6, 'North East', 'Sunderland', 'Tyne and Wear', 'Tyne and Wear', 'County Durham', 'E'],
  ['Middlesbrough', 'TS', [31, 32], 54.5695, -1.235, 5, 'North East', 'Middlesbrough', 'Middlesbrough', 'Cleveland', 'Yorkshire', 'N'],
];

// biome-ignore format: one town a line is what makes this table readable
export const townsOfScotland: readonly TownRow[] = [
  ['Edinburgh', 'EH', [61, 62, 63], 55.9415, -3.2085, 11, 'Scotland', 'City of Edinburgh', 'City of Edinburgh', 'Midlothian', 'Midlothian'],
  ['Haddington', 'EH', [64], 55.9585, -2.7825, 2, 'Scotland', 'East Lothian', 'East Lothian', 'East Lothian', 'East Lothian'],
  ['Glasgow', 'G', [16, 17, 18], 55.861, -4.2515, 13, 'Scotland', 'Glasgow City', 'Glasgow City', 'Lanarkshire', 'Lanarkshire'],
  ['Aberdeen', 'AB', [17, 18], 57.1495, -2.125, 7, 'Scotland', 'Aberdeen City', 'Aberdeen City', 'Aberdeenshire', 'Aberdeenshire', 'E'],
  ['Inverurie', 'AB', [61], 57.2845, -2.3755, 2, 'Scotland', 'Aberdeenshire', 'Aberdeenshire', 'Aberdeenshire', 'Aberdeenshire'],
  ['Dundee', 'DD', [21, 22], 56.469, -2.9785, 6, 'Scotland', 'Dundee City', 'Dundee City', 'Angus', 'Angus', 'S'],
  ['Perth', 'PH', [51, 52], 56.396, -3.437, 4, 'Scotland', 'Perth and Kinross', 'Perth and Kinross', 'Perthshire', 'Perthshire'],
  ['Stirling', 'FK', [22, 23], 56.117, -3.9375, 4, 'Scotland', 'Stirling', 'Stirling', 'Stirlingshire', 'Stirlingshire'],
  ['Inverness', 'IV', [71, 72], 57.4755, -4.2255, 5, 'Scotland', 'Highland', 'Highland', 'Inverness-shire', 'Inverness-shire', 'N'],
  ['Portree', 'IV', [73], 57.4135, -6.194, 1, 'Scotland', 'Highland', 'Highland', 'Isle of Skye', 'Inverness-shire', 'E'],
  ['Stornoway', 'HS', [11], 58.209, -6.3885, 1, 'Scotland', 'Na h-Eileanan Siar', 'Na h-Eileanan Siar', 'Isle of Lewis', 'Ross-shire', 'SE'],
  ['Oban', 'PA', [81], 56.4155, -5.471, 2, 'Scotland', 'Argyll and Bute', 'Argyll and Bute', 'Argyll', 'Argyllshire', 'W'],
  ['Paisley', 'PA', [82], 55.8455, -4.4235, 4, 'Scotland', 'Renfrewshire', 'Renfrewshire', 'Renfrewshire', 'Renfrewshire'],
  ['Ayr', 'KA', [31, 32], 55.459, -4.6295, 4, 'Scotland', 'South Ayrshire', 'South Ayrshire', 'Ayrshire', 'Ayrshire', 'W'],
  ['Dumfries', 'DG', [17, 18], 55.0705, -3.6055, 3, 'Scotland', 'Dumfries and Galloway', 'Dumfries and Galloway', 'Dumfriesshire', 'Dumfriesshire'],
  ['Kirkcaldy', 'KY', [17, 18], 56.1165, -3.1655, 4, 'Scotland', 'Fife', 'Fife', 'Fife', 'Fife', 'E'],
  ['St Andrews', 'KY', [19], 56.3395, -2.7975, 2, 'Scotland', 'Fife', 'Fife', 'Fife', 'Fife', 'NE'],
  ['Galashiels', 'TD', [16, 17], 55.6165, -2.8075, 2, 'Scotland', 'Scottish Borders', 'Scottish Borders', 'Selkirkshire', 'Selkirkshire'],
  ['Lerwick', 'ZE', [4], 60.1545, -1.155, 1, 'Scotland', 'Shetland Islands', 'Shetland Islands', 'Shetland', 'Shetland', 'E'],
];

// biome-ignore format: one town a line is what makes this table readable
export const townsOfWales: readonly TownRow[] = [
  ['Cardiff', 'CF', [25, 26], 51.4985, -3.1855, 9, 'Wales', 'Cardiff', 'Cardiff', 'South Glamorgan', 'Glamorgan'],
  ['Newport', 'NP', [30, 31], 51.588, -2.998, 6, 'Wales', 'Newport', 'Newport', 'Gwent', 'Monmouthshire'],
  ['Abergavenny', 'NP', [32], 51.824, -3.0165, 2, 'Wales', 'Monmouthshire', 'Monmouthshire', 'Gwent', 'Monmouthshire'],
  ['Swansea', 'SA', [21, 22], 51.63, -3.9555, 7, 'Wales', 'Swansea', 'Swansea', 'West Glamorgan', 'Glamorgan', 'S'],
  ['Carmarthen', 'SA', [23], 51.857, -4.3115, 3, 'Wales', 'Carmarthenshire', 'Carmarthenshire', 'Dyfed', 'Carmarthenshire'],
  ['Haverfordwest', 'SA', [24], 51.8015, -4.9715, 2, 'Wales', 'Pembrokeshire', 'Pembrokeshire', 'Dyfed', 'Pembrokeshire'],
  ['Aberystwyth', 'SY', [29], 52.4135, -4.065, 3, 'Wales', 'Ceredigion', 'Ceredigion', 'Dyfed', 'Cardiganshire', 'W'],
  ['Llandrindod Wells', 'LD', [9], 52.2425, -3.3785, 1, 'Wales', 'Powys', 'Powys', 'Powys', 'Radnorshire'],
  ['Brecon', 'LD', [11], 51.946, -3.391, 2, 'Wales', 'Powys', 'Powys', 'Powys', 'Brecknockshire'],
  ['Bangor', 'LL', [79], 53.2185, -4.139, 3, 'Wales', 'Gwynedd', 'Gwynedd', 'Gwynedd', 'Caernarfonshire', 'N'],
  ['Caernarfon', 'LL', [80], 53.1385, -4.269, 2, 'Wales', 'Gwynedd', 'Gwynedd', 'Gwynedd', 'Caernarfonshire', 'NW'],
  ['Wrexham', 'LL', [81, 82], 53.0465, -2.993, 5, 'Wales', 'Wrexham', 'Wrexham', 'Clwyd', 'Denbighshire'],
];

// biome-ignore format: one town a line is what makes this table readable
export const townsOfNorthernIreland: readonly TownRow[] = [
  ['Belfast', 'BT', [59, 50], 54.5885, -5.943, 9, 'Northern Ireland', 'Belfast City', 'Belfast City', 'County Antrim', 'County Antrim'],
  ['Londonderry', 'BT', [72], 54.997, -7.3085, 4, 'Northern Ireland', 'Derry City and Strabane', 'Derry City and Strabane', 'County Londonderry', 'County Londonderry'],
  ['Armagh', 'BT', [73], 54.3505, -6.6545, 2, 'Northern Ireland', 'Armagh City, Banbridge and Craigavon', 'Armagh City, Banbridge and Craigavon', 'County Armagh', 'County Armagh'],
  ['Newry', 'BT', [83], 54.1765, -6.3395, 3, 'Northern Ireland', 'Newry, Mourne and Down', 'Newry, Mourne and Down', 'County Down', 'County Armagh'],
  ['Enniskillen', 'BT', [95], 54.3445, -7.6385, 2, 'Northern Ireland', 'Fermanagh and Omagh', 'Fermanagh and Omagh', 'County Fermanagh', 'County Fermanagh'],
  ['Omagh', 'BT', [84], 54.6, -7.2985, 2, 'Northern Ireland', 'Fermanagh and Omagh', 'Fermanagh and Omagh', 'County Tyrone', 'County Tyrone'],
];
