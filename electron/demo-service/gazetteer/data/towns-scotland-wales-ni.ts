import type { TownRow } from './town-type.ts';

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
