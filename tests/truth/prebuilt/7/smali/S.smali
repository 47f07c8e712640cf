.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 308
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 8
    const/16 v10, -261
    const/16 v11, -214
    const/16 v12, -243
    const/16 v13, -136
    const/16 v14, -173
    const/16 v15, -261
    const/16 v16, -278
    const/16 v17, 35
    const/16 v18, -128
    const/16 v19, -185
    const/16 v20, 174
    const/16 v21, -135
    const/16 v22, -191
    const/16 v23, -115
    const/16 v24, -98
    const/16 v25, 66
    const/16 v26, -98
    const/16 v27, 69
    const/16 v28, -177
    const/16 v29, 144
    const/16 v30, 33
    const/16 v31, 100
    const/16 v32, 118
    const/16 v33, -41
    const/16 v34, 156
    const/16 v35, -62
    const/16 v36, 194
    const/16 v37, -275
    const/16 v38, -121
    const/16 v39, -131
    const/16 v40, -116
    const/16 v41, -145
    const/16 v42, 59
    const/16 v43, -240
    const/16 v44, 156
    const/16 v45, 242
    const/16 v46, -266
    const/16 v47, 150
    const/16 v48, 260
    const/16 v49, 289
    const/16 v50, -286
    const/16 v51, 162
    const/16 v52, 149
    const/16 v53, -277
    const/16 v54, 45
    const/16 v55, 105
    const/16 v56, 223
    const/16 v57, -149
    const/16 v58, -251
    const/16 v59, 274
    const/16 v60, 228
    const/16 v61, -155
    const/16 v62, 208
    const/16 v63, -121
    const/16 v64, 92
    const/16 v65, -140
    const/16 v66, -296
    const/16 v67, 212
    const/16 v68, 227
    const/16 v69, -295
    const/16 v70, 70
    const/16 v71, 124
    const/16 v72, -107
    const/16 v73, 283
    const/16 v74, 89
    const/16 v75, 118
    const/16 v76, 41
    const/16 v77, 191
    const/16 v78, 293
    const/16 v79, -135
    const/16 v80, 23
    const/16 v81, 85
    const/16 v82, -105
    const/16 v83, -25
    const/16 v84, -84
    const/16 v85, -296
    const/16 v86, 293
    const/16 v87, 34
    const/16 v88, 25
    const/16 v89, 273
    const/16 v90, -32
    const/16 v91, 44
    const/16 v92, -138
    const/16 v93, 287
    const/16 v94, 259
    const/16 v95, 200
    const/16 v96, -19
    const/16 v97, -216
    const/16 v98, 203
    const/16 v99, -253
    const/16 v100, -148
    const/16 v101, 138
    const/16 v102, -216
    const/16 v103, 287
    const/16 v104, 124
    const/16 v105, 1
    const/16 v106, 219
    const/16 v107, 137
    const/16 v108, -296
    const/16 v109, -211
    const/16 v110, -164
    const/16 v111, -195
    const/16 v112, 85
    const/16 v113, -17
    const/16 v114, -184
    const/16 v115, 145
    const/16 v116, 152
    const/16 v117, -38
    const/16 v118, -217
    const/16 v119, 159
    const/16 v120, 77
    const/16 v121, -201
    const/16 v122, -264
    const/16 v123, 205
    const/16 v124, 6
    const/16 v125, -81
    const/16 v126, -234
    const/16 v127, -36
    const/16 v128, -16
    const/16 v129, 79
    const/16 v130, -90
    const/16 v131, 220
    const/16 v132, 212
    const/16 v133, 239
    const/16 v134, 136
    const/16 v135, 285
    const/16 v136, -16
    const/16 v137, 167
    const/16 v138, 25
    const/16 v139, 110
    const/16 v140, 184
    const/16 v141, -179
    const/16 v142, -253
    const/16 v143, -152
    const/16 v144, 2
    const/16 v145, -246
    const/16 v146, 253
    const/16 v147, -166
    const/16 v148, 60
    const/16 v149, 85
    const/16 v150, -45
    const/16 v151, -35
    const/16 v152, 218
    const/16 v153, -266
    const/16 v154, 155
    const/16 v155, 189
    const/16 v156, -274
    const/16 v157, -212
    const/16 v158, -217
    const/16 v159, -265
    const/16 v160, -80
    const/16 v161, 175
    const/16 v162, 180
    const/16 v163, -218
    const/16 v164, -3
    const/16 v165, 51
    const/16 v166, -111
    const/16 v167, -161
    const/16 v168, -178
    const/16 v169, -110
    const/16 v170, 212
    const/16 v171, -34
    const/16 v172, 44
    const/16 v173, -132
    const/16 v174, -133
    const/16 v175, -72
    const/16 v176, 185
    const/16 v177, -71
    const/16 v178, -44
    const/16 v179, -35
    const/16 v180, -238
    const/16 v181, -74
    const/16 v182, -136
    const/16 v183, 9
    const/16 v184, -236
    const/16 v185, 92
    const/16 v186, 245
    const/16 v187, 154
    const/16 v188, -83
    const/16 v189, -200
    const/16 v190, 126
    const/16 v191, 180
    const/16 v192, 20
    const/16 v193, -239
    const/16 v194, 92
    const/16 v195, -63
    const/16 v196, 174
    const/16 v197, 192
    const/16 v198, 242
    const/16 v199, -100
    const/16 v200, -35
    const/16 v201, -136
    const/16 v202, 233
    const/16 v203, -178
    const/16 v204, 267
    const/16 v205, 25
    const/16 v206, 114
    const/16 v207, -129
    const/16 v208, -160
    const/16 v209, 181
    const/16 v210, 180
    const/16 v211, 204
    const/16 v212, -26
    const/16 v213, 276
    const/16 v214, 76
    const/16 v215, -199
    const/16 v216, 267
    const/16 v217, 209
    const/16 v218, 36
    const/16 v219, -134
    const/16 v220, 51
    const/16 v221, -203
    const/16 v222, 76
    const/16 v223, 88
    const/16 v224, -186
    const/16 v225, -157
    const/16 v226, 210
    const/16 v227, 296
    const/16 v228, -11
    const/16 v229, 38
    const/16 v230, 94
    const/16 v231, 291
    const/16 v232, 260
    const/16 v233, -118
    const/16 v234, 21
    const/16 v235, -271
    const/16 v236, 25
    const/16 v237, -91
    const/16 v238, 169
    const/16 v239, -174
    const/16 v240, -9
    const/16 v241, 166
    const/16 v242, 78
    const/16 v243, 276
    const/16 v244, 71
    const/16 v245, 192
    const/16 v246, -98
    const/16 v247, 256
    const/16 v248, -121
    const/16 v249, 68
    const/16 v250, -108
    const/16 v251, -106
    const/16 v252, 7
    const/16 v253, 0
    const/16 v254, -50
    const/16 v255, -235
    move/16 v256, v4
    move/16 v257, v1
    move/16 v258, v2
    move/16 v259, v1
    move/16 v260, v2
    move/16 v261, v1
    move/16 v262, v2
    move/16 v263, v1
    move/16 v264, v3
    move/16 v265, v1
    move/16 v266, v2
    move/16 v267, v1
    move/16 v268, v3
    move/16 v269, v1
    move/16 v270, v4
    move/16 v271, v1
    move/16 v272, v3
    move/16 v273, v3
    move/16 v274, v1
    move/16 v275, v4
    move/16 v276, v3
    move/16 v277, v2
    move/16 v278, v1
    move/16 v279, v2
    move/16 v280, v2
    move/16 v281, v2
    move/16 v282, v1
    move/16 v283, v2
    move/16 v284, v1
    move/16 v285, v3
    move/16 v286, v3
    move/16 v287, v4
    move/16 v288, v4
    move/16 v289, v1
    move/16 v290, v1
    move/16 v291, v4
    move/16 v292, v1
    move/16 v293, v3
    move/16 v294, v2
    move/16 v295, v4
    move/16 v296, v3
    move/16 v297, v1
    move/16 v298, v1
    move/16 v299, v1
    move/16 v300, v4
    move/16 v301, v4
    move/16 v302, v2
    move/16 v303, v3
    :b0
    mul-int/lit8 v1, v1, 126
    goto/32 :b7
    :b1
    if-ge v2, v2, :b3
    :b2
    :t0_start
    if-nez v218, :b5
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    const v1, 1437624194
    neg-int v1, v2
    if-gtz v55, :fuel1
    :b4
    if-ltz v91, :fuel2
    nop
    :t0_end
    :b5
    goto :fuel3
    :b6
    const-string v7, "s\n:b1"
    sub-int/2addr v3, v4
    const v32, -1952423416
    mul-int v207, v1, v1
    return v48
    :b7
    rem-int/lit16 v4, v3, 2710
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed4
    goto/32 :exit
    .catch Ljava/lang/ArrayIndexOutOfBoundsException; {:t0_start .. :t0_end} :handler7
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler7
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel6
    throw v7
    :exit
    return v1
    :packed4
    .packed-switch 17
    .end packed-switch
.end method

.method public static s1(LCtx;III)I
    .registers 306
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 43
    const/16 v10, -46
    const/16 v11, -28
    const/16 v12, 38
    const/16 v13, -73
    const/16 v14, -262
    const/16 v15, 110
    const/16 v16, 126
    const/16 v17, 141
    const/16 v18, -230
    const/16 v19, -141
    const/16 v20, -214
    const/16 v21, -228
    const/16 v22, -242
    const/16 v23, 256
    const/16 v24, -104
    const/16 v25, -31
    const/16 v26, -198
    const/16 v27, 91
    const/16 v28, 214
    const/16 v29, 200
    const/16 v30, -41
    const/16 v31, -102
    const/16 v32, -199
    const/16 v33, 207
    const/16 v34, 276
    const/16 v35, 158
    const/16 v36, -2
    const/16 v37, -236
    const/16 v38, 184
    const/16 v39, -171
    const/16 v40, -156
    const/16 v41, -232
    const/16 v42, 195
    const/16 v43, 147
    const/16 v44, -170
    const/16 v45, -275
    const/16 v46, -111
    const/16 v47, 292
    const/16 v48, -254
    const/16 v49, -224
    const/16 v50, -185
    const/16 v51, 29
    const/16 v52, -55
    const/16 v53, -245
    const/16 v54, -74
    const/16 v55, 296
    const/16 v56, -26
    const/16 v57, 56
    const/16 v58, -126
    const/16 v59, 75
    const/16 v60, 116
    const/16 v61, -17
    const/16 v62, -135
    const/16 v63, 148
    const/16 v64, 148
    const/16 v65, -117
    const/16 v66, -297
    const/16 v67, -165
    const/16 v68, -207
    const/16 v69, 256
    const/16 v70, 141
    const/16 v71, -60
    const/16 v72, -141
    const/16 v73, -34
    const/16 v74, -181
    const/16 v75, -183
    const/16 v76, 89
    const/16 v77, -206
    const/16 v78, -74
    const/16 v79, -297
    const/16 v80, -144
    const/16 v81, -257
    const/16 v82, 62
    const/16 v83, -214
    const/16 v84, 13
    const/16 v85, 25
    const/16 v86, 272
    const/16 v87, 152
    const/16 v88, 279
    const/16 v89, 245
    const/16 v90, -99
    const/16 v91, 18
    const/16 v92, 231
    const/16 v93, -91
    const/16 v94, 194
    const/16 v95, 45
    const/16 v96, -171
    const/16 v97, 82
    const/16 v98, 63
    const/16 v99, 222
    const/16 v100, 272
    const/16 v101, -73
    const/16 v102, -16
    const/16 v103, 214
    const/16 v104, -169
    const/16 v105, 215
    const/16 v106, -278
    const/16 v107, 128
    const/16 v108, 140
    const/16 v109, -111
    const/16 v110, -256
    const/16 v111, 244
    const/16 v112, 0
    const/16 v113, -18
    const/16 v114, -179
    const/16 v115, 156
    const/16 v116, 83
    const/16 v117, 229
    const/16 v118, 187
    const/16 v119, -46
    const/16 v120, 223
    const/16 v121, 255
    const/16 v122, 84
    const/16 v123, 257
    const/16 v124, -3
    const/16 v125, 0
    const/16 v126, 111
    const/16 v127, -268
    const/16 v128, -38
    const/16 v129, 194
    const/16 v130, 28
    const/16 v131, -82
    const/16 v132, 162
    const/16 v133, 66
    const/16 v134, 13
    const/16 v135, 165
    const/16 v136, 68
    const/16 v137, -212
    const/16 v138, 69
    const/16 v139, -88
    const/16 v140, -61
    const/16 v141, 142
    const/16 v142, -39
    const/16 v143, 75
    const/16 v144, -283
    const/16 v145, -21
    const/16 v146, 261
    const/16 v147, -238
    const/16 v148, 49
    const/16 v149, 69
    const/16 v150, 119
    const/16 v151, -267
    const/16 v152, 147
    const/16 v153, 237
    const/16 v154, 12
    const/16 v155, -66
    const/16 v156, 48
    const/16 v157, 45
    const/16 v158, 183
    const/16 v159, -189
    const/16 v160, -110
    const/16 v161, 199
    const/16 v162, -196
    const/16 v163, 78
    const/16 v164, -99
    const/16 v165, -24
    const/16 v166, 198
    const/16 v167, -256
    const/16 v168, -166
    const/16 v169, 47
    const/16 v170, 130
    const/16 v171, 149
    const/16 v172, -5
    const/16 v173, 131
    const/16 v174, -141
    const/16 v175, 21
    const/16 v176, -143
    const/16 v177, -113
    const/16 v178, -139
    const/16 v179, 60
    const/16 v180, -13
    const/16 v181, -238
    const/16 v182, -49
    const/16 v183, 39
    const/16 v184, -263
    const/16 v185, -123
    const/16 v186, -245
    const/16 v187, 137
    const/16 v188, 134
    const/16 v189, -104
    const/16 v190, -145
    const/16 v191, 83
    const/16 v192, 221
    const/16 v193, -178
    const/16 v194, -186
    const/16 v195, -22
    const/16 v196, 150
    const/16 v197, 222
    const/16 v198, 107
    const/16 v199, -39
    const/16 v200, -280
    const/16 v201, 101
    const/16 v202, 99
    const/16 v203, -110
    const/16 v204, 88
    const/16 v205, -289
    const/16 v206, 80
    const/16 v207, -184
    const/16 v208, 28
    const/16 v209, 40
    const/16 v210, -171
    const/16 v211, -265
    const/16 v212, -108
    const/16 v213, -89
    const/16 v214, -280
    const/16 v215, 293
    const/16 v216, 286
    const/16 v217, -63
    const/16 v218, 0
    const/16 v219, -200
    const/16 v220, -96
    const/16 v221, -54
    const/16 v222, -62
    const/16 v223, 182
    const/16 v224, 288
    const/16 v225, 29
    const/16 v226, -176
    const/16 v227, -263
    const/16 v228, 285
    const/16 v229, 33
    const/16 v230, 228
    const/16 v231, -208
    const/16 v232, 222
    const/16 v233, 171
    const/16 v234, -175
    const/16 v235, -57
    const/16 v236, -83
    const/16 v237, 151
    const/16 v238, 18
    const/16 v239, 126
    const/16 v240, 71
    const/16 v241, -285
    const/16 v242, -67
    const/16 v243, -182
    const/16 v244, 39
    const/16 v245, 109
    const/16 v246, -54
    const/16 v247, 132
    const/16 v248, -51
    const/16 v249, 41
    const/16 v250, -54
    const/16 v251, 86
    const/16 v252, -262
    const/16 v253, 232
    const/16 v254, 263
    const/16 v255, 11
    move/16 v256, v3
    move/16 v257, v4
    move/16 v258, v4
    move/16 v259, v4
    move/16 v260, v1
    move/16 v261, v1
    move/16 v262, v4
    move/16 v263, v4
    move/16 v264, v2
    move/16 v265, v2
    move/16 v266, v4
    move/16 v267, v4
    move/16 v268, v2
    move/16 v269, v1
    move/16 v270, v3
    move/16 v271, v4
    move/16 v272, v1
    move/16 v273, v3
    move/16 v274, v4
    move/16 v275, v2
    move/16 v276, v1
    move/16 v277, v1
    move/16 v278, v1
    move/16 v279, v1
    move/16 v280, v2
    move/16 v281, v3
    move/16 v282, v1
    move/16 v283, v4
    move/16 v284, v4
    move/16 v285, v4
    move/16 v286, v3
    move/16 v287, v3
    move/16 v288, v3
    move/16 v289, v2
    move/16 v290, v1
    move/16 v291, v4
    move/16 v292, v1
    move/16 v293, v3
    move/16 v294, v3
    move/16 v295, v2
    move/16 v296, v2
    move/16 v297, v4
    move/16 v298, v3
    move/16 v299, v3
    move/16 v300, v3
    move/16 v301, v3
    :b0
    move/16 v67, v3
    mul-int/2addr v1, v3
    xor-int/lit8 v3, v1, -46
    rem-int/lit16 v4, v3, 1664
    if-nez v122, :b3
    :b1
    move/16 v38, v2
    if-gez v132, :b10
    :b2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LU1;->m0(LCtx;III)I
    move-result v2
    shl-int/lit8 v79, v39, 119
    mul-int v3, v144, v206
    and-int/lit8 v8, v195, 3
    rem-int v197, v131, v8
    and-int/lit8 v8, v215, 31
    packed-switch v8, :packed1
    :b3
    :b4
    :b5
    mul-int/2addr v1, v2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m0(LCtx;III)I
    nop
    neg-int v1, v2
    if-nez v3, :fuel3
    :b6
    mul-int v1, v10, v35
    mul-int v176, v1, v251
    neg-int v1, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aput v1, v7, v8
    new-instance v7, LE0;
    invoke-direct {v7, v2}, LE0;-><init>(I)V
    throw v7
    :b7
    cmp-long v8, v5, v5
    const-string v7, "s\n:b1"
    and-int/lit8 v8, v2, 3
    div-int v106, v1, v8
    if-lt v4, v3, :fuel4
    :b8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v4}, LU0;->m0(LCtx;III)I
    move-result v4
    shl-int/lit8 v113, v125, -21
    rem-int/lit16 v2, v3, 2341
    or-int v1, v4, v220
    if-ge v1, v3, :fuel5
    :b9
    sub-int/2addr v2, v3
    shl-int v116, v187, v53
    if-ge v2, v2, :fuel6
    :b10
    and-int/lit8 v8, v116, 3
    rem-int v1, v2, v8
    xor-int/lit8 v54, v4, -78
    if-ge v1, v1, :fuel7
    :b11
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    move/16 v199, v1
    and-int/lit8 v1, v1, -27
    if-eqz v1, :fuel8
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :exit
    return v1
    :packed1
    .packed-switch 15
    .end packed-switch
.end method

